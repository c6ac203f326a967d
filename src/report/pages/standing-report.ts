import { z } from "zod";
import { openDocuments } from "../../files/open-store.js";

/** The page of a run's report, beside its records. */
export const reportPage = "report.html";
/** Beside it what it comes to, for pages that link to it. */
export const verdictFile = "verdict.json";

const verdictSchema = z.object({ verdict: z.array(z.string()) });

/** Where the report of the run at a place stands, or will. */
export const reportAddress = (place: string): string => openDocuments(place).addressOf(reportPage);

/** The report that stands beside the run of a place; undefined where there is none. */
export async function standingReport(
  place: string,
): Promise<{ readonly path: string; readonly verdict: readonly string[] } | undefined> {
  const documents = openDocuments(place);
  if (!(await documents.has(reportPage))) return undefined;
  // A page that another version wrote may have none beside it.
  const { data } = verdictSchema.safeParse(parsed((await documents.read(verdictFile)) ?? "{}"));
  return { path: documents.addressOf(reportPage), verdict: data?.verdict ?? [] };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
