import { createReadStream } from "node:fs";
import type { RecordStore } from "../core/record-store.js";
import { stepId } from "../core/step.js";

/** What a run's list shows of its images. */
export interface Glance {
  /** How many images it has or asked for; absent while they are being made. */
  readonly images?: number;
  /** The SHA-256 of the first of them. */
  readonly thumbnails: readonly string[];
}

const mostThumbnails = 3;
const newline = 10;

/** Counts the lines of finished steps that make images, and looks into the first of them alone. */
export async function glanceAt(run: RecordStore): Promise<Glance> {
  const thumbnails = new Set<string>();
  let images: number | undefined;
  for (const step of run.recipe.steps.filter(({ produces }) => produces === "image")) {
    const file = await run.fileOf(stepId(step));
    if (file === undefined) continue;
    images ??= 0;
    for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
      if (thumbnails.size === 0) {
        const found = [...chunk.toString("latin1").matchAll(/"image":"([0-9a-f]{64})"/g)];
        for (const [, hash = ""] of found.slice(0, mostThumbnails)) thumbnails.add(hash);
      }
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) images++;
    }
  }
  return { ...(images === undefined ? {} : { images }), thumbnails: [...thumbnails] };
}
