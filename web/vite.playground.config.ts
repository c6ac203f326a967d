import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { analysisVerbs } from "./analysis-verbs.js";
import { leanVega } from "./lean-vega.js";
import { plainProducts } from "./plain-products.js";

/** The page that analyses tables, for the web site, in parts: the worker with a table, Parquet and plots when needed. */
export default defineConfig({
  root: fileURLToPath(new URL("src/playground/", import.meta.url)),
  base: "./",
  plugins: [analysisVerbs()],
  worker: {
    format: "es",
    plugins: () => [leanVega(), plainProducts()],
    rolldownOptions: {
      treeshake: { moduleSideEffects: (id) => !id.includes("/hyparquet-compressors/") },
    },
  },
  build: {
    emptyOutDir: true,
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
    rolldownOptions: { checks: { moduleLevelDirective: false, bundlerTimings: false } },
  },
});
