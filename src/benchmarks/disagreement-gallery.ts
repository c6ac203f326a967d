import { type Disagreement, disagreements } from "../analysis/trust-card/disagreement.js";
import type { DoneRecord } from "../core/records.js";
import { openPicture } from "../images/picture.js";
import { thumbnail } from "../images/thumbnail.js";
import type { ReportedRun } from "./run-records.js";

export interface CardImage {
  /** The key of its record. */
  readonly key: string;
  /** The sentence it was made from. */
  readonly text: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** A metric, or the truth, whose ranks are compared. */
export interface GalleryColumn {
  readonly name: string;
  readonly model: string;
  readonly direction: "higher" | "lower";
}

/** An image that may be shown, and what each column says of it against `text`. */
export interface GalleryCandidate {
  readonly image: DoneRecord<"image">;
  readonly text: string;
  readonly scores: readonly (number | null)[];
}

export interface GalleryEntry extends Omit<Disagreement, "id" | "prompt"> {
  readonly image: CardImage;
  /** Who made it. */
  readonly generator: string;
  readonly text: string;
  readonly scores: readonly (number | null)[];
}

/** The images on which metrics disagree most, with each other or with the truth. */
export interface Gallery {
  readonly columns: readonly GalleryColumn[];
  readonly entries: readonly GalleryEntry[];
  /** How many images were ranked. */
  readonly images: number;
}

const most = 12;

export async function readGallery({
  columns,
  candidates,
  blobs,
}: {
  readonly columns: readonly GalleryColumn[];
  readonly candidates: readonly GalleryCandidate[];
  readonly blobs: ReportedRun["blobs"];
}): Promise<Gallery> {
  const byId = new Map(candidates.map((one) => [one.image.key as string, one]));
  const chosen = disagreements(
    candidates.map(({ image, scores }) => ({ id: image.key, prompt: image.prompt, scores })),
    { metrics: columns, most },
  );
  const entries: GalleryEntry[] = [];
  for (const { id, prompt, ...disagreement } of chosen) {
    const candidate = byId.get(id);
    if (candidate === undefined) continue;
    const { image, text, scores } = candidate;
    entries.push({
      ...disagreement,
      text,
      scores,
      generator: image.model,
      image: await cardImage(image, blobs),
    });
  }
  return { columns, entries, images: candidates.length };
}

/** An image of the run as a page shows it. */
export async function cardImage(
  { key, text, image }: DoneRecord<"image">,
  blobs: ReportedRun["blobs"],
): Promise<CardImage> {
  return { key, text, ...(await thumbnail(await openPicture(await blobs.read(image), image))) };
}
