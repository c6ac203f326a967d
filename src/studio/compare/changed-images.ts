import { InputError } from "../../core/errors.js";
import { randomFrom } from "../../core/random.js";
import { NoAnswer } from "../../core/unscored.js";
import {
  type ImageChange,
  imageChange,
  imagePairs,
  mostChanged,
  type SideImage,
  seedsApart,
} from "../../images/image-changes.js";
import { openPicture } from "../../images/picture.js";
import type { ScoreTable } from "../score-table.js";
import { type NamedRun, sharedMetrics } from "./compare-runs.js";

/** How the images of two runs for the same texts and seeds changed, pixel by pixel. */
export interface ChangedImages {
  /** Images that both have. */
  readonly pairs: number;
  /** How many of them were compared: of more than are looked at, some drawn at random. */
  readonly compared: number;
  /** Pairs of which an image can't be read. */
  readonly unreadable: number;
  /** Those that changed visibly. */
  readonly changed: number;
  /** The most changed first. */
  readonly most: readonly ChangedPair[];
}

export interface ChangedPair {
  readonly text: string;
  readonly before: ShownImage;
  readonly after: ShownImage;
  readonly ssim: number | null;
  readonly psnr: number | null;
  /** What each metric of both says of the two. */
  readonly scores: readonly {
    readonly metric: string;
    readonly before: number | null;
    readonly after: number | null;
  }[];
}

interface ShownImage {
  readonly run: string;
  readonly key: string;
  readonly image: string;
}

interface RunImage extends SideImage {
  readonly shown: ShownImage;
}

/** A page waits for so many. */
const mostCompared = 200;

/** Compares the images that two runs have for the same texts and seeds, as `compare RUN RUN` does. */
export async function changedImages(
  runs: readonly [before: NamedRun, after: NamedRun],
): Promise<ChangedImages> {
  const [one, other] = [await imagesOf(runs[0]), await imagesOf(runs[1])];
  const { pairs } = imagePairs(one, other);
  const some =
    pairs.length > mostCompared
      ? randomFrom("changed-images", pairs.length).shuffle(pairs).slice(0, mostCompared)
      : pairs;
  const images = new Map<SideImage, RunImage>(some.flat().map((image) => [image, image]));
  const changes: ImageChange[] = [];
  for (const [a, b] of some) {
    const change = await imageChange(a, b).catch(unread);
    if (change !== undefined) changes.push(change);
  }
  const scoreOf = scores(runs);
  return {
    pairs: pairs.length,
    compared: changes.length,
    unreadable: some.length - changes.length,
    changed: changes.filter(({ isVisible }) => isVisible).length,
    most: mostChanged(changes).flatMap(({ a, b, ssim, psnr }) => {
      const [before, after] = [images.get(a)?.shown, images.get(b)?.shown];
      if (before === undefined || after === undefined) return [];
      return [{ text: a.text, before, after, ssim, psnr, scores: scoreOf(before.key, after.key) }];
    }),
  };
}

function unread(error: unknown): undefined {
  if (!(error instanceof NoAnswer || error instanceof InputError)) throw error;
}

async function imagesOf({ id, view }: NamedRun): Promise<RunImage[]> {
  const { run } = view.index;
  const found: RunImage[] = [];
  const places: { readonly role: string; readonly sample: number }[] = [];
  for await (const record of run.ofType("image")) {
    if (record.status !== "done") continue;
    const { key, image, text, seed, role, sample, model } = record;
    places.push({ role, sample });
    found.push({
      name: key,
      text,
      seed: `${seed}`,
      model,
      score: null,
      shown: { run: id, key, image },
      open: async () => openPicture(await run.blobs.read(image)),
    });
  }
  return seedsApart(found, (at) => places[at]);
}

/** What the metrics that both runs have say of an image of each. */
function scores([one, other]: readonly [NamedRun, NamedRun]) {
  const scoreIn = ({ view }: NamedRun, key: string, table: ScoreTable | undefined) => {
    const at = view.index.rowOf(key);
    return at === undefined ? null : (table?.get(at)?.value ?? null);
  };
  const shared = sharedMetrics([one, other]).filter(
    ([, tables]) => tables.has(one) && tables.has(other),
  );
  return (before: string, after: string): ChangedPair["scores"] =>
    shared.map(([metric, tables]) => ({
      metric,
      before: scoreIn(one, before, tables.get(one)),
      after: scoreIn(other, after, tables.get(other)),
    }));
}
