import type { RecordStore, RunWriter } from "../core/record-store.js";

/** The document of a run that is asked about anew; it says whether that is over. */
const anewDocument = "anew.json";

const underWay = `${JSON.stringify({ isOver: false })}\n`;

/**
 * Moves what steps hold to the trace, so that everything is asked for anew. Where that was begun and stopped, what was
 * asked since stays.
 */
export async function beginAnew(
  run: RecordStore,
  { writer, steps }: { readonly writer: RunWriter; readonly steps: readonly string[] },
): Promise<void> {
  if ((await run.documents.read(anewDocument)) === underWay) return;
  for (const id of steps) {
    if ((await run.stateOf(id)) === "absent") continue;
    const step = await writer.openStep(id);
    try {
      // Of a plan without tasks all that it holds is left over.
      await step.finish();
    } finally {
      await step.close();
    }
  }
  await run.documents.write(anewDocument, underWay);
}

/** Notes that a run is whole: what is asked about anew from here on is all of it. */
export async function endAnew({ documents }: RecordStore): Promise<void> {
  if ((await documents.read(anewDocument)) !== underWay) return;
  await documents.write(anewDocument, `${JSON.stringify({ isOver: true })}\n`);
}
