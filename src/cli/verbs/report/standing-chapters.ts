import { join, relative, sep } from "node:path";
import type { FurtherChapter } from "../../../benchmarks/benchmark.js";
import { standingReport } from "../../../report/standing.js";

/** Titles of the demo's chapters, each by the name of its folder, in order. */
export const chapterTitles = {
  demography: "Typical against right, in groups of people",
  "attribute-confusion": "Attributes on the wrong thing",
  stereotypes: "Stereotypes in generated people",
  judge: "A judge made of several prompts",
  people: "People, simulated",
} as const;

/**
 * The chapters whose reports stand beside a demo, whichever command made them.
 *
 * @param run the place of the demo
 * @param page the folder of the page that links to them
 */
export async function standingChapters(run: string, page: string): Promise<FurtherChapter[]> {
  const found: FurtherChapter[] = [];
  for (const [name, title] of Object.entries(chapterTitles)) {
    const report = await standingReport(join(run, name));
    if (report === undefined) continue;
    const address = relative(page, report.path).split(sep).map(encodeURIComponent).join("/");
    found.push({ title, verdict: report.verdict, address });
  }
  return found;
}
