import { isTie } from "touchstone-t2i/internal/analysis/pairs/score-ties.js";
import type { ImageEmbedder, TextEmbedder } from "touchstone-t2i/internal/core/models.js";
import { openPicture } from "touchstone-t2i/internal/images/picture.js";
import type { CaptionHabit } from "../world/captions.js";
import { captionHabits, type HeldOutPicture } from "./held-out.js";
import type { PrototypePair } from "./prototype-pairs.js";
import { type HabitRetrieval, retrieval, similarity } from "./retrieval.js";
import { answerOrNone, type Share, shareOf, sharesBy } from "./share.js";
import { type Clock, type MedianTime, Stopwatch } from "./stopwatch.js";

/** How well a dual encoder finds pictures and captions, and how much it prefers the typical. */
export interface DualEncodingReport {
  readonly kind: "dual-encoder";
  readonly retrieval: Readonly<Record<CaptionHabit, HabitRetrieval>>;
  /** How often the prototypical one of two right pictures scores higher; 0.5 = no preference. */
  readonly prototypePreference: {
    readonly overall: Share;
    readonly hypernyms: Readonly<Record<string, Share>>;
    readonly styles: Readonly<Record<string, Share>>;
    /** Pairs whose scores tie: no preference for the prototypical one. */
    readonly ties: number;
  };
  readonly milliseconds: { readonly image: MedianTime; readonly caption: MedianTime };
}

export interface DualEncodingOptions {
  readonly pictures: readonly HeldOutPicture[];
  readonly pairs: readonly PrototypePair[];
  readonly clock: Clock;
  /** Receives how many of `pictures` and `pairs` are done, together. */
  readonly onDone?: (done: number) => void;
  readonly signal?: AbortSignal;
}

interface Preference {
  readonly hypernym: string;
  readonly style: string;
  readonly difference: number | undefined;
}

export async function evaluateDualEncoder(
  model: ImageEmbedder & TextEmbedder,
  options: DualEncodingOptions,
): Promise<DualEncodingReport> {
  const { pictures, pairs, clock, onDone, signal } = options;
  const imageTime = new Stopwatch(clock);
  const captionTime = new Stopwatch(clock);
  const embedImage = async (bytes: Uint8Array, stopwatch?: Stopwatch) => {
    signal?.throwIfAborted();
    const picture = await openPicture(bytes);
    // Decoding is no part of the model's time.
    await picture.pixels();
    const asked = () => answerOrNone(model.embedImage(picture));
    return stopwatch === undefined ? asked() : stopwatch.time(asked);
  };
  const embedText = (text: string, stopwatch?: Stopwatch) => {
    const asked = () => answerOrNone(model.embedText(text));
    return stopwatch === undefined ? asked() : stopwatch.time(asked);
  };

  // The pairs come first and are not timed: a model loads its weights when it is first asked.
  const preferences: Preference[] = [];
  for (const [index, { hypernym, style, text, prototypical, other }] of pairs.entries()) {
    const sentence = await embedText(text);
    const [first, second] = [await embedImage(prototypical), await embedImage(other)];
    const difference = differenceOf(similarity(first, sentence), similarity(second, sentence));
    preferences.push({ hypernym, style, difference });
    onDone?.(index + 1);
  }

  const images: (Float32Array | undefined)[] = [];
  const captions: Record<CaptionHabit, (Float32Array | undefined)[]> = { skewed: [], balanced: [] };
  for (const [index, picture] of pictures.entries()) {
    images.push(await embedImage(picture.bytes, imageTime));
    for (const habit of captionHabits) {
      captions[habit].push(await embedText(picture.captions[habit], captionTime));
    }
    onDone?.(pairs.length + index + 1);
  }
  return {
    kind: "dual-encoder",
    retrieval: retrieval(pictures, { images, captions }),
    prototypePreference: preferenceOf(preferences),
    milliseconds: { image: imageTime.median(), caption: captionTime.median() },
  };
}

/** 0 where the two tie, which is what rounding could do; undefined where one has no score. */
function differenceOf(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return undefined;
  return isTie(a, b) ? 0 : a - b;
}

function preferenceOf(preferences: readonly Preference[]) {
  const outcomes = preferences.map(({ difference }) =>
    difference === undefined ? undefined : difference > 0,
  );
  const by = (member: "hypernym" | "style") =>
    sharesBy(
      outcomes,
      preferences.map((one) => one[member]),
    );
  return {
    overall: shareOf(outcomes),
    hypernyms: by("hypernym"),
    styles: by("style"),
    ties: preferences.filter(({ difference }) => difference === 0).length,
  };
}
