import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
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

/** What was seen of a step's finished file, which changes no more. */
const seen = new Map<string, { readonly mark: string; readonly glance: Required<Glance> }>();

/** Sums up the finished steps that make images; a file that was looked at before is not read again. */
export async function glanceAt(run: RecordStore): Promise<Glance> {
  let thumbnails: readonly string[] = [];
  let images: number | undefined;
  for (const step of run.recipe.steps.filter(({ produces }) => produces === "image")) {
    const file = await run.fileOf(stepId(step));
    if (file === undefined) continue;
    const { ino, size, mtimeMs } = await stat(file);
    const mark = `${ino} ${size} ${mtimeMs}`;
    const known = seen.get(file);
    const glance = known?.mark === mark ? known.glance : await glanceInto(file);
    seen.set(file, { mark, glance });
    images = (images ?? 0) + glance.images;
    if (thumbnails.length === 0) thumbnails = glance.thumbnails;
  }
  return { ...(images === undefined ? {} : { images }), thumbnails };
}

/** Counts the lines of a file, and looks into its beginning for images. */
async function glanceInto(file: string): Promise<Required<Glance>> {
  const thumbnails = new Set<string>();
  let images = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    if (thumbnails.size === 0) {
      const found = [...chunk.toString("latin1").matchAll(/"image":"([0-9a-f]{64})"/g)];
      for (const [, hash = ""] of found.slice(0, mostThumbnails)) thumbnails.add(hash);
    }
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) images++;
  }
  return { images, thumbnails: [...thumbnails] };
}
