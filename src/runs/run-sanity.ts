import type { Sanity } from "../analysis/sanity/sanity-text.js";
import type { RecordStore } from "../core/record-store.js";

/** The document of a run that says what its models see and its metrics read. */
export const sanityDocument = "sanity.json";

export type ToldSanity = Sanity & { readonly verdict: string };

/** What was found of a run, as `--json` has it; undefined where nothing was looked for. */
export async function sanityOfRun(
  run: Pick<RecordStore, "documents">,
): Promise<ToldSanity | undefined> {
  const text = await run.documents.read(sanityDocument);
  if (text === undefined) return undefined;
  const { answers, ...found } = JSON.parse(text);
  return found;
}
