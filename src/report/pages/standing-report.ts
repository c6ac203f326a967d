import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

/** The page of a run's report, in the run's folder. */
export const reportPage = "report.html";
/** Beside it what it comes to, for pages that link to it. */
export const verdictFile = "verdict.json";

const verdictSchema = z.object({ verdict: z.array(z.string()) });

/** The report that stands in a folder; undefined where there is none. */
export async function standingReport(
  directory: string,
): Promise<{ readonly path: string; readonly verdict: readonly string[] } | undefined> {
  const path = join(directory, reportPage);
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  if (!isThere) return undefined;
  // A page that another version wrote may have none beside it.
  const said = await readFile(join(directory, verdictFile), "utf8").catch(() => "{}");
  const { data } = verdictSchema.safeParse(parsed(said));
  return { path, verdict: data?.verdict ?? [] };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
