import { fileURLToPath } from "node:url";
import { type Plugin, runnerImport } from "vite";
import type { verbList } from "./src/analyse/verb-list.js";

/** Puts the list of verbs that analyse tables into the page, made from their declarations. */
export const analysisVerbs = (): Plugin => ({
  name: "analysis-verbs",
  async config() {
    const path = fileURLToPath(new URL("src/analyse/verb-list.ts", import.meta.url));
    const { module } = await runnerImport<{ verbList: typeof verbList }>(path);
    return { define: { __ANALYSIS_VERBS__: JSON.stringify(module.verbList) } };
  },
});
