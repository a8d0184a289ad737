#!/usr/bin/env node
// Serves a folder of static files on loopback, with the headers that let a page use threads.
//
//   node serve.mjs [--root DIR] [--port N] [--no-isolation]
//
// Cross-Origin-Opener-Policy and Cross-Origin-Embedder-Policy together make a page "cross-origin isolated", and only such a
// page gets SharedArrayBuffer, which WebAssembly threads need. `--no-isolation` leaves them out, as a plain static host does.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const mediaTypes = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
};

const isolationHeaders = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/** The file a request names, or null where it names none inside `root`. A folder stands for its index.html. */
async function fileFor(root, url) {
  let path;
  try {
    path = decodeURIComponent(new URL(url, "http://localhost").pathname);
  } catch {
    return null;
  }
  if (path.includes("\0")) return null;
  let file = normalize(join(root, path));
  if (file !== root && !file.startsWith(root + sep)) return null;
  let found = await stat(file).catch(() => null);
  if (found?.isDirectory()) {
    file = join(file, "index.html");
    found = await stat(file).catch(() => null);
  }
  return found?.isFile()
    ? { file, size: found.size, tag: `"${found.size.toString(36)}-${found.mtimeMs.toString(36)}"` }
    : null;
}

/**
 * Starts serving `root` on 127.0.0.1.
 * @param {{root: string, port?: number, isolation?: boolean}} options port 0 takes any free one
 * @returns {Promise<{address: string, close: () => Promise<void>}>}
 */
export async function serve({ root, port = 0, isolation = true }) {
  const folder = normalize(root).replace(/[/\\]+$/, "");
  const server = createServer(async (request, response) => {
    const headers = {
      "Cache-Control": "no-cache",
      "Cross-Origin-Resource-Policy": "same-origin",
      "X-Content-Type-Options": "nosniff",
      ...(isolation ? isolationHeaders : {}),
    };
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { ...headers, Allow: "GET, HEAD" }).end();
      return;
    }
    const found = await fileFor(folder, request.url ?? "/");
    if (!found) {
      response
        .writeHead(404, { ...headers, "Content-Type": "text/plain; charset=utf-8" })
        .end("There is no such file here.\n");
      return;
    }
    if (request.headers["if-none-match"] === found.tag) {
      response.writeHead(304, { ...headers, ETag: found.tag }).end();
      return;
    }
    response.writeHead(200, {
      ...headers,
      ETag: found.tag,
      "Content-Length": found.size,
      "Content-Type": mediaTypes[extname(found.file)] ?? "application/octet-stream",
    });
    if (request.method === "HEAD") response.end();
    else
      createReadStream(found.file)
        .on("error", () => response.destroy())
        .pipe(response);
  });
  await new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(undefined));
  });
  const bound = server.address();
  return {
    address: `http://127.0.0.1:${typeof bound === "object" ? bound?.port : port}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function main() {
  const usage = "usage: node serve.mjs [--root DIR] [--port N] [--no-isolation]";
  let values;
  try {
    ({ values } = parseArgs({
      options: {
        root: { type: "string", default: fileURLToPath(new URL("../build/page", import.meta.url)) },
        port: { type: "string", default: "8080" },
        "no-isolation": { type: "boolean", default: false },
        help: { type: "boolean", default: false },
      },
    }));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n${usage}`);
    process.exit(2);
  }
  if (values.help) {
    console.log(usage);
    return;
  }
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    console.error(`--port wants a number from 0 to 65535, not "${values.port}"\n${usage}`);
    process.exit(2);
  }
  if (!(await stat(join(values.root, "index.html")).catch(() => null))) {
    console.error(`There is no page at ${values.root} yet: build it first (./run demo --build-only).`);
    process.exit(1);
  }
  const isolation = !values["no-isolation"];
  try {
    const { address } = await serve({ root: values.root, port, isolation });
    console.log(`Octet is at ${address}${isolation ? "" : " (without cross-origin isolation: one thread)"}`);
  } catch (error) {
    if (error?.code !== "EADDRINUSE") throw error;
    console.error(`Port ${port} is taken: name another with --port, or 0 for any free one.`);
    process.exit(1);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
