// The second file of the page's program, which is loaded when one of its functions is called (web/bindings/rest.js).
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { small, visit } from "./visit";

const built = fileURLToPath(new URL("../../build/page", import.meta.url));
const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

/** The page, with `change` made to each second file. */
async function changed(change: (path: string) => Promise<void>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "octet-page-"));
  folders.push(root);
  await cp(built, root, { recursive: true });
  const [engine] = (await readdir(root)).filter((name) => name.startsWith("engine-")).map((name) => join(root, name));
  if (!engine) throw new Error("The page has no engine.");
  const seconds = (await readdir(engine)).filter((name) => name.endsWith(".rest.wasm"));
  expect(seconds.length).toBe(4);
  await Promise.all(seconds.map((name) => change(join(engine, name))));
  return root;
}

const isSecond = (path: string) => path.endsWith(".rest.wasm");

test.each([[true], [false]])("it comes when a text is refused, not before (isolation: %s)", async (isolation) => {
  const { trained, choose, page, loaded } = await visit({
    link: `${small}&steps=5000`,
    isolation,
  });
  await trained(2);
  expect(loaded.filter(isSecond)).toEqual([]);
  await choose("empty.txt", "");
  await page.locator("[data-notice=mishap]").waitFor();
  expect(loaded.some(isSecond)).toBe(true);
});

test("a sentence without a blank is answered without it: training does not wait for it", async () => {
  const { trained, page, loaded, steps } = await visit({ link: `${small}&steps=5000` });
  await page.locator(".candidates").waitFor();
  await page.locator("#sentence").fill("The cat drinks milk.");
  await page.getByText("Write ___ where the word is missing.").waitFor();
  expect(await page.locator(".candidates").count()).toBe(0);
  await trained((await steps()) + 12); // guesses are made every ten
  expect(loaded.filter(isSecond)).toEqual([]);
});

test.each([[true], [false]])(
  "where it is missing, the page says so, and the run goes on (isolation: %s)",
  async (isolation) => {
    const root = await changed((path) => rm(path));
    const { trained, choose, page } = await visit({
      link: `${small}&steps=5000`,
      isolation,
      root,
      expected: /404/,
    });
    await trained(2);
    await choose("empty.txt", "");
    const notice = page.locator("[data-notice=mishap]");
    await notice.waitFor();
    expect(await notice.textContent()).toMatch(/empty\.txt.*could not be loaded/);
    const step = Number(await page.locator("[data-step]").getAttribute("data-step"));
    await trained(step + 20);
    expect(await page.locator("[data-notice=broken]").count()).toBe(0);
  },
);

test("where it is missing, a sentence that needs it is told so, and can be asked again", async () => {
  const lost = "**/*.rest.wasm*";
  const { trained, page } = await visit({ link: `${small}&steps=5000&start=no`, lost, expected: /ERR_FAILED/ });
  await page.locator(".candidates").waitFor();
  await page.locator("#sentence").fill(`${"ж ".repeat(140)}___`); // longer than the model has positions
  const notice = page.locator(".fill [data-notice=not-loaded]");
  await notice.waitFor();
  expect(await notice.textContent()).toMatch(/could not be loaded.*rest\.wasm does not arrive/);
  await page.unroute(lost);
  await notice.locator("[data-action=again]").click();
  await page.locator(".fill .diagnostic").getByText("X713").waitFor();
  expect(await notice.count()).toBe(0);
  await page.getByRole("button", { name: "Start" }).click();
  await trained(12);
});

test("while it is long on its way to a sentence, training goes on, and then that is answered", async () => {
  const { trained, page, steps } = await visit({ link: `${small}&steps=5000` });
  let come = () => {};
  const coming = new Promise<void>((resolve) => (come = resolve));
  await page.route("**/*.rest.wasm*", (route) => coming.then(() => route.continue()));
  await page.locator(".candidates").waitFor();
  await page.locator("#sentence").fill(`${"ж ".repeat(140)}___`);
  await trained((await steps()) + 25);
  expect(await page.locator(".fill .diagnostic").count()).toBe(0);
  come();
  await page.locator(".fill .diagnostic").getByText("X713").waitFor();
});

test("where it is of another build, the page says so and calls none of its functions", async () => {
  const root = await changed(async (path) => {
    const bytes = await readFile(path);
    bytes[bytes.length - 1]! ^= 1;
    await writeFile(path, bytes);
  });
  const { trained, choose, page } = await visit({
    link: `${small}&steps=5000`,
    root,
  });
  await trained(2);
  await choose("empty.txt", "");
  const notice = page.locator("[data-notice=mishap]");
  await notice.waitFor();
  expect(await notice.textContent()).toContain("could not be loaded");
});
