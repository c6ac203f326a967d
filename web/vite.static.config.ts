import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { analysisVerbs } from "./analysis-verbs.js";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** The studio as one plain script, for pages that are exported: from a file, Chromium runs no modules. */
export default defineConfig({
  root: at("."),
  plugins: [analysisVerbs()],
  resolve: {
    alias: [
      { find: "./new-worker.js", replacement: at("src/static/new-worker.ts") },
      { find: "./served-pages.js", replacement: at("src/static/served-pages.tsx") },
    ],
  },
  build: {
    outDir: "../dist/web/static",
    emptyOutDir: true,
    target: "es2023",
    cssCodeSplit: false,
    modulePreload: false,
    // In kB: it is one script by design.
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      input: at("src/static/main.tsx"),
      output: {
        format: "iife",
        codeSplitting: false,
        entryFileNames: "studio.js",
        assetFileNames: "studio[extname]",
      },
      checks: { moduleLevelDirective: false, emptyImportMeta: false, bundlerTimings: false },
    },
  },
});
