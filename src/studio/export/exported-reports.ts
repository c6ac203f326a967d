import { join } from "node:path";
import { reportPage } from "../../report/pages/standing-report.js";
import { reportIn } from "../reports/reports.js";
import type { ExportedFile } from "./exported-page.js";

/** The report of a run and those in folders below it that it links to, where their links find them. */
export async function exportedReports(place: string): Promise<readonly ExportedFile[]> {
  const content = await reportIn(place, place);
  if (content === undefined) return [];
  const files: ExportedFile[] = [{ path: reportPage, content }];
  for (const [, folder = ""] of content.matchAll(/href="([\w-]+)\/report\.html"/g)) {
    const below = await reportIn(join(place, folder), place);
    if (below !== undefined) files.push({ path: `${folder}/${reportPage}`, content: below });
  }
  return files;
}
