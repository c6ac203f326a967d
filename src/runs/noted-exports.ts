import { z } from "zod";
import { openDocuments } from "../files/open-store.js";

const documentName = "exports.json";

const notedExport = z.object({
  /** The folder that was written. */
  out: z.string(),
  /** When, as ISO 8601. */
  at: z.string(),
  /** Whether it says what each participant answered, under their pseudonym. */
  withPeople: z.boolean(),
});

/** An export of a run that holds scores by people: a copy that erasure can't reach, and names. */
export type NotedExport = z.output<typeof notedExport>;

/** Exports noted in the run at a place, oldest first. */
export async function notedExports(place: string): Promise<readonly NotedExport[]> {
  const text = await openDocuments(place).read(documentName);
  return text === undefined ? [] : z.array(notedExport).parse(JSON.parse(text));
}

/** Notes an export in its run; one to the same folder takes the place of the one before. */
export async function noteExport(place: string, noted: NotedExport): Promise<void> {
  const others = (await notedExports(place)).filter(({ out }) => out !== noted.out);
  const text = `${JSON.stringify([...others, noted], null, 2)}\n`;
  await openDocuments(place).write(documentName, text);
}
