// A visit to the built page in Chromium: serves it, opens it, and fails where it writes an error to the console.
import { access } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { serve } from "../../web/serve.mjs";

const built = fileURLToPath(new URL("../../build/page", import.meta.url));

/** A model so small that a step takes a moment; it learns all the same. */
export const small = "vocab_size=400&layers=1&hidden=64&batch=16&seq=32&warmup_steps=10&learning_rate=0.003";

export interface Visit {
  page: Page;
  /** The paths of all that was asked for. */
  loaded: string[];
  /** Steps done, as the page says. */
  steps(): Promise<number>;
  /** Waits until so many steps are done. */
  trained(steps: number): Promise<void>;
  /** The number the page shows under this name (see data-number and data-loss), as it is written. */
  shown(selector: string): Promise<string>;
  /** Gives the page a file through its picker. */
  choose(name: string, bytes: Uint8Array | string): Promise<void>;
}

export interface VisitOptions extends BrowserContextOptions {
  /** The link's fragment, without "#". */
  link?: string;
  /** Whether the server sends the headers for threads. */
  isolation?: boolean;
  /** Whether the browser has relaxed SIMD; it does, where this is not said. */
  relaxedSimd?: boolean;
  /** The folder served, and the page's path in it. */
  root?: string;
  path?: string;
  /** Addresses, as a glob, of which nothing comes until `page.unroute` of the same. */
  lost?: string;
  /** What the page may write to the console without failing the test. */
  expected?: RegExp;
}

let browser: Browser;
let open: { errors: string[]; close(): Promise<unknown> }[] = [];

beforeAll(async () => {
  await access(`${built}/index.html`).catch(() => {
    throw new Error(`${built} is missing: build the page first (npm run build).`);
  });
  browser = await chromium.launch({
    executablePath: process.env.OCTET_CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
    ].concat("--disable-component-update", "--disable-sync"),
  });
});

afterAll(async () => browser?.close());

afterEach(async () => {
  const ended = open;
  open = [];
  await Promise.all(ended.map((each) => each.close()));
  expect(ended.flatMap((each) => each.errors)).toEqual([]);
});

/** Opens the page; it is closed after the test, which fails if the page wrote an error or a warning. */
export async function visit(options: VisitOptions = {}): Promise<Visit> {
  const {
    link = "",
    isolation = true,
    relaxedSimd = true,
    root = built,
    path = "",
    lost,
    expected,
    ...context
  } = options;
  const server = await serve({ root, isolation });
  const own = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    ...context,
  });
  const page = await own.newPage();
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
  if (!relaxedSimd) await page.addInitScript(() => Object.assign(WebAssembly, { validate: () => false }));
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    if (!expected?.test(message.text())) errors.push(message.text());
  });
  open.push({
    errors,
    close: async () => own.close().then(() => server.close()),
  });
  if (lost) await page.route(lost, (route) => route.abort());
  await page.goto(`${server.address}${path}#${link}`);

  const steps = async () => Number(await page.locator("[data-step]").getAttribute("data-step"));
  return {
    page,
    loaded,
    steps,
    trained: (count) => expect.poll(steps, { timeout: 90_000 }).toBeGreaterThanOrEqual(count),
    shown: async (selector) => (await page.locator(selector).textContent())?.trim() ?? "",
    choose: async (name, bytes) => {
      await page.locator(".texts input[type=file]").setInputFiles({
        name,
        mimeType: "text/plain",
        buffer: Buffer.from(bytes),
      });
    },
  };
}

/** A text that the page can train on: `lines` lines of few words. */
export function plainText(lines: number): string {
  const names = ["Anna", "Peter", "Ruth", "Tom"];
  const things = ["bread", "fish", "tea", "milk"];
  return Array.from({ length: lines }, (_, at) => `${names[at % 4]} likes ${things[at % 4]} in the morning.`).join(
    "\n",
  );
}
