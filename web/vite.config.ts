import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { oneCopy } from "./one-copy.js";

const here = fileURLToPath(new URL(".", import.meta.url));

/** Every page of this folder (`studio.html`, …) is an entry; what pages share is built once. */
const pages = readdirSync(here).filter((name) => name.endsWith(".html"));

export default defineConfig({
  root: here,
  base: "/",
  // One script that holds all it needs, so that it works without the server; a blob can be made of it.
  worker: {
    format: "iife",
    plugins: () => [oneCopy()],
    rolldownOptions: {
      output: { codeSplitting: false },
      // Its index compiles WebAssembly for a packing that hyparquet reads by itself; the policy forbids it.
      treeshake: { moduleSideEffects: (id) => !id.includes("/hyparquet-compressors/") },
    },
  },
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    target: "es2023",
    // The policy lets no inline script run, so none may be made of a small file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: pages.map((name) => `${here}${name}`),
      // Directives of server components mean nothing in a bundle.
      checks: { moduleLevelDirective: false },
    },
  },
});
