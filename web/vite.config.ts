import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { analysisVerbs } from "./analysis-verbs.js";
import { leanVega } from "./lean-vega.js";
import { plainProducts } from "./plain-products.js";

const here = fileURLToPath(new URL(".", import.meta.url));

/** Every page of this folder (`studio.html`, …) is an entry; what pages share is built once. */
const pages = readdirSync(here).filter((name) => name.endsWith(".html"));

/** What the head of every page holds, in place of a comment. Before Vite reads it: the icon is a file of the build. */
const sharedHead: Plugin = {
  name: "shared-head",
  transformIndexHtml: {
    order: "pre",
    handler: (page) =>
      page.replace(
        "<!-- head -->",
        `<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <link rel="icon" href="/src/shell/icon.svg" />`,
      ),
  },
};

export default defineConfig({
  root: here,
  base: "/",
  plugins: [sharedHead, analysisVerbs()],
  // One script that holds all it needs, so that it works without the server; a blob can be made of it.
  worker: {
    format: "iife",
    plugins: () => [leanVega(), plainProducts()],
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
    // In kB: the worker that reads tables has all of its readers.
    chunkSizeWarningLimit: 1_700,
    rolldownOptions: {
      input: pages.map((name) => `${here}${name}`),
      // Directives of server components mean nothing in a bundle; how long a build takes is no news.
      checks: { moduleLevelDirective: false, bundlerTimings: false },
    },
  },
});
