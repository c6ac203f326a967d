import { withInterval } from "touchstone-t2i/internal/analysis/inference/intervals.js";
import type { Localizer, Mask } from "touchstone-t2i/internal/core/models.js";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { openPicture } from "touchstone-t2i/internal/images/picture.js";
import type { Estimate } from "touchstone-t2i/internal/stats/estimate.js";
import { bootstrapInterval } from "touchstone-t2i/internal/stats/percentile-interval.js";
import type { HeldOutPicture, SoughtEntity } from "./held-out.js";
import { resamples } from "./question-answering.js";
import { answerOrNone, type Share, shareOf } from "./share.js";
import { type Clock, type MedianTime, Stopwatch } from "./stopwatch.js";

/** Mean IoU over entities; entities without an answer are counted in `unscored`. */
export interface MeanOverlap extends Estimate {
  readonly n: number;
  readonly unscored: number;
}

/** How well a localiser finds entities that are there, and how often it finds absent ones. */
export interface LocalizingReport {
  readonly kind: "localizer";
  /** Mean IoU of entities that are there; one that the model did not find counts 0. */
  readonly overlap: {
    readonly overall: MeanOverlap;
    readonly sorts: Readonly<Record<string, MeanOverlap>>;
    readonly styles: Readonly<Record<string, MeanOverlap>>;
  };
  /** Share of entities that are there and were found. */
  readonly found: Share;
  /** Share of absent entities that were not found. */
  readonly absentNotFound: Share;
  readonly milliseconds: { readonly image: MedianTime; readonly entity: MedianTime };
}

interface Finding {
  readonly picture: number;
  readonly style: string;
  readonly sort: SoughtEntity["sort"];
  readonly isThere: boolean;
  /** undefined where the model had no answer. */
  readonly found: boolean | undefined;
  /** For an entity that is in the image. */
  readonly overlap: number | undefined;
}

export interface LocalizingOptions {
  readonly pictures: readonly HeldOutPicture[];
  readonly clock: Clock;
  /** Seed of the intervals' resamples. */
  readonly seed: number;
  readonly onPicture?: (done: number) => void;
  readonly signal?: AbortSignal;
}

/** Evaluates a localiser on every entity of every picture. */
export async function evaluateLocalizing(
  model: Localizer,
  { pictures, clock, seed, onPicture, signal }: LocalizingOptions,
): Promise<LocalizingReport> {
  const imageTime = new Stopwatch(clock);
  const entityTime = new Stopwatch(clock);
  const findings: Finding[] = [];
  await seekFirst(model, pictures.at(-1));
  for (const [index, { bytes, style, sought }] of pictures.entries()) {
    signal?.throwIfAborted();
    const picture = await openPicture(bytes);
    await picture.pixels();
    for (const [turn, { name, sort, mask }] of sought.entries()) {
      // The first question about an image includes encoding it.
      const stopwatch = turn === 0 ? imageTime : entityTime;
      const said = await stopwatch.time(() =>
        answerOrNone(model.localize(picture, name).then((found) => ({ found }))),
      );
      const overlap = said?.found && mask ? maskOverlap(said.found, mask) : 0;
      findings.push({
        picture: index,
        style,
        sort,
        isThere: mask !== undefined,
        found: said && said.found !== undefined,
        overlap: said && overlap,
      });
    }
    onPicture?.(index + 1);
  }
  const there = findings.filter(({ isThere }) => isThere);
  const absent = findings.filter(({ isThere }) => !isThere);
  const groups = (member: "style" | "sort") =>
    Object.fromEntries(
      [...new Set(there.map((one) => one[member]))].map((name) => [
        name,
        meanOverlap(
          there.filter((one) => one[member] === name),
          seed,
        ),
      ]),
    );
  return {
    kind: "localizer",
    overlap: { overall: meanOverlap(there, seed), sorts: groups("sort"), styles: groups("style") },
    found: shareOf(
      there.map(({ found }) => found),
      there.map(({ picture }) => picture),
    ),
    absentNotFound: shareOf(
      absent.map(({ found }) => (found === undefined ? undefined : !found)),
      absent.map(({ picture }) => picture),
    ),
    milliseconds: { image: imageTime.median(), entity: entityTime.median() },
  };
}

/** Asks once before timing, since a model loads its weights at its first call. */
async function seekFirst(model: Localizer, picture: HeldOutPicture | undefined): Promise<void> {
  const [entity] = picture?.sought ?? [];
  if (picture === undefined || entity === undefined) return;
  await answerOrNone(model.localize(await openPicture(picture.bytes), entity.name));
}

/** Intervals resample pictures, since entities of one picture are correlated. */
function meanOverlap(findings: readonly Finding[], seed: number): MeanOverlap {
  const byPicture = new Map<number, number[]>();
  for (const { picture, overlap } of findings) {
    if (overlap !== undefined) byPicture.set(picture, [...(byPicture.get(picture) ?? []), overlap]);
  }
  const units = [...byPicture.values()];
  const all = units.flat();
  const counts = { n: all.length, unscored: findings.length - all.length };
  if (all.length === 0) {
    return { ...counts, value: null, low: null, high: null, reason: "there are none" };
  }
  const interval = bootstrapInterval({
    units: units.length,
    statistic: (drawn) => mean([...drawn].flatMap((unit) => units[unit] ?? [])),
    resamples,
    random: randomFrom(seed, "lab evaluate", "overlap"),
  });
  const whenNone = "no interval from one picture";
  return { ...counts, ...withInterval(mean(all), interval, { whenNone }) };
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Intersection over union of two masks of one size: the pixels inside both, by those inside either.
 *
 * @returns in [0, 1]; 0 where one has nothing inside, NaN where neither has.
 * @throws RangeError where the sizes differ.
 */
export function maskOverlap(first: Mask, second: Mask): number {
  if (first.width !== second.width || first.height !== second.height) {
    throw new RangeError(
      `Expected masks of one size but received ${first.width} x ${first.height} and ` +
        `${second.width} x ${second.height}`,
    );
  }
  let both = 0;
  let either = 0;
  first.data.forEach((inside, at) => {
    const also = second.data[at] ?? 0;
    both += inside & also;
    either += inside | also;
  });
  return both / either;
}
