// The command beside the hash of a run that is over: typed in a terminal as it is shown, it ends with that hash.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { plainText, small, visit, type Visit } from "./visit";

const native = fileURLToPath(new URL("../../build/native", import.meta.url));

/** Runs `command` where `text` lies under `name`. */
function inTerminal(command: string, name: string, text: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), "octet-same-run-"));
  try {
    writeFileSync(join(folder, name), text);
    const env = { ...process.env, PATH: `${native}:${process.env.PATH}` };
    return execFileSync("sh", ["-c", command], {
      cwd: folder,
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const command = ({ page }: Visit) => page.locator("[data-shown=command]").textContent({ timeout: 60_000 });
const rows = plainText(120).split("\n");

test("the command is there once the run is over, can be copied, and the page's text be saved", async () => {
  const visited = await visit({
    link: `lang=en&start=no&${small}&steps=3`,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const { page } = visited;
  for (let step = 1; step <= 3; step++) {
    expect(await page.locator("[data-shown=command]").count()).toBe(0);
    await page.locator("[data-action=step]").click();
    await page.locator(`[data-hash-step="${step}"]`).waitFor({ timeout: 60_000 });
  }
  const shown = await command(visited);
  expect(shown).toBe(
    "octet train --text en.txt --steps 3 --seed 1 --batch 16 --seq 32 --layers 1 --hidden 64 --heads 1 " +
      "--intermediate 256 --learning-rate 0.003 --warmup-steps 10 --vocab-size 400 --packing none",
  );
  await page.locator("[data-action=copy]").click();
  await expect.poll(() => page.locator(".same-run [role=status]").textContent()).toBe("Copied.");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown);
  const saved = page.waitForEvent("download");
  await page.locator(".same-run a").click();
  const download = await saved;
  expect(download.suggestedFilename()).toBe("en.txt");
  const text = await readFile(await download.path());
  if (existsSync(`${native}/octet`))
    expect(inTerminal(shown ?? "", "en.txt", text)).toContain(`(${await visited.shown("[data-hash]")})`);
  await page.locator("[data-action=reset]").click();
  await expect.poll(() => page.locator(".same-run").count()).toBe(0);
});

test("where a page may not copy, the command is selected", async () => {
  const visited = await visit({ link: `lang=ko&${small}&steps=2` });
  await visited.page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  const shown = await command(visited);
  await visited.page.locator("[data-action=copy]").click();
  await expect.poll(() => visited.page.locator(".same-run [role=status]").textContent()).toContain("키보드로");
  expect(await visited.page.evaluate(() => String(getSelection()))).toBe(shown);
});

test.runIf(existsSync(`${native}/octet`)).each<[string, string | Buffer, string, string?]>([
  ["the page's ko.txt", "", "--text ko.txt"],
  ["my 'own' 글.txt", plainText(120), "--text 'my '\\''own'\\'' 글.txt'"],
  ["t.csv", ["id,text", ...rows.map((row, at) => `${at},"${row}\nof ${at}, ""too"""`)].join("\n"), "--text t.csv"],
  [
    "o.tsv",
    ["id\tthe words", ...rows.map((row, at) => `${at}\t${row}`)].join("\n"),
    "--field='the words'",
    "the words",
  ],
])("a terminal ends with the same hash: %s", { timeout: 120_000 }, async (name, text, part, column) => {
  const own = text === "";
  const visited = await visit({
    link: `lang=ko&start=no&text=${own ? "ko" : "en"}&layers=1&hidden=96&batch=16&steps=4`,
  });
  const { page, shown, choose } = visited;
  await page.locator("[data-action=step]:enabled").waitFor({ timeout: 60_000 });
  if (!own) {
    await choose(name, text);
    if (column) await page.locator(`[data-field="${column}"]`).click({ timeout: 60_000 });
    await page.locator(".texts .own[aria-pressed=true]").waitFor({ timeout: 60_000 });
    await page.locator("[data-action=step]:enabled").waitFor({ timeout: 60_000 });
  }
  await page.getByRole("button", { name: "시작" }).click();
  const typed = (await command(visited)) ?? "";
  expect(typed).toContain(part);
  expect(typed).toContain("--warmup-steps 1"); // the page's choice for so few steps
  const beside = own ? "ko.txt" : name;
  const bytes = own ? await readFile(new URL("../../web/public/texts/ko.txt", import.meta.url)) : text;
  expect(inTerminal(typed, beside, bytes)).toContain(`(${await shown("[data-hash]")})`);
});
