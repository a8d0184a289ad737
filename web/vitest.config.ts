// Two kinds of test: "logic" is plain TypeScript; "page" drives the built page in Chromium.
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  test: {
    projects: [
      { test: { name: "logic", include: ["src/**/*.test.ts"] } },
      {
        // The page's tests live outside this folder but use its packages.
        resolve: { alias: { "playwright-core": here("node_modules/playwright-core/index.mjs") } },
        server: { fs: { allow: [here("..")] } },
        test: {
          name: "page",
          dir: here("../tests/page"),
          include: ["**/*.test.ts"],
          testTimeout: 120_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 30_000 } }, // programs are loaded and compiled meanwhile
          fileParallelism: false, // the page's threads want the processor to themselves
        },
      },
    ],
  },
});
