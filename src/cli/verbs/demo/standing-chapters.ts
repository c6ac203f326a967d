import { join, relative, sep } from "node:path";
import type { FurtherChapter } from "../../../benchmarks/report.js";
import { standingReport } from "../../../report/standing.js";
import { demoChapters } from "./chapters.js";

/**
 * The chapters whose reports stand beside a demo, whichever command made them.
 *
 * @param run the place of the demo
 * @param page the folder of the page that links to them
 */
export async function standingChapters(run: string, page: string): Promise<FurtherChapter[]> {
  const found: FurtherChapter[] = [];
  for (const { name, title } of demoChapters) {
    const report = await standingReport(join(run, name));
    if (report === undefined) continue;
    const address = relative(page, report.path).split(sep).map(encodeURIComponent).join("/");
    found.push({ title, verdict: report.verdict, address });
  }
  return found;
}
