import { isTie } from "touchstone-t2i/internal/analysis/pairs/score-ties.js";
import {
  descriptionText,
  loadDescriptions,
  swapped,
} from "touchstone-t2i/internal/benchmarks/attribute-confusion/descriptions.js";
import type { VisualQuestionAnswering } from "touchstone-t2i/internal/core/models.js";
import { randomFrom } from "touchstone-t2i/internal/core/random.js";
import { openPicture } from "touchstone-t2i/internal/images/picture.js";
import { vqaScore } from "touchstone-t2i/internal/metrics/vqa-score.js";
import { labPainter } from "../painter/lab-painter.js";
import { paintedTruth } from "../painter/painter.js";
import { heldOutPath } from "./held-out.js";
import { answerOrNone, type Share, shareOf, sharesBy } from "./share.js";

/** A picture of a description, painted without a defect, and what is said of it. */
export interface SwapPicture {
  /** A PNG. */
  readonly bytes: Uint8Array;
  readonly style: string;
  readonly text: string;
  /** The same with the attributes swapped between the entities. */
  readonly swapped: string;
}

/** How often VQAScore prefers the description whose attributes stand on the wrong entities. */
export interface SwapReport {
  readonly failures: Share;
  /** The same by the style of the picture. */
  readonly styles: Readonly<Record<string, Share>>;
  readonly ties: number;
}

interface Progress {
  readonly onPicture?: (done: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Paints descriptions of the attribute-confusion benchmark, drawn by the seed, each once; left out are
 * those for which the painter finds no readable layout.
 */
export async function paintSwaps({
  count,
  seed,
  onPicture,
  signal,
}: Progress & { readonly count: number; readonly seed: number }): Promise<SwapPicture[]> {
  const painter = labPainter();
  const random = randomFrom(heldOutPath, seed, "swaps");
  const pictures: SwapPicture[] = [];
  const drawn = random.shuffle([...loadDescriptions()]).slice(0, count);
  for (const [index, description] of drawn.entries()) {
    signal?.throwIfAborted();
    const text = descriptionText(description);
    const entities = swapped(description.entities);
    const request = { prompt: text, seed: random.integer(2 ** 31) };
    const painted = await answerOrNone(painter.generate(request));
    if (painted !== undefined) {
      const { bytes, truth } = painted;
      const { style } = paintedTruth.parse(truth);
      pictures.push({
        bytes,
        style,
        text,
        swapped: descriptionText({ ...description, entities }),
      });
    }
    onPicture?.(index + 1);
  }
  return pictures;
}

/**
 * The swap test (L-VQAScore, section 3.2): failing is scoring the swapped text strictly higher; ties
 * count among the rest.
 */
export async function evaluateSwaps(
  model: VisualQuestionAnswering,
  pictures: readonly SwapPicture[],
  { onPicture, signal }: Progress = {},
): Promise<SwapReport> {
  const metric = vqaScore({ model });
  const options = signal === undefined ? {} : { signal };
  const outcomes: (boolean | undefined)[] = [];
  let ties = 0;
  for (const [index, { bytes, text, swapped: negative }] of pictures.entries()) {
    const image = await openPicture(bytes);
    const original = await answerOrNone(metric.score({ image, text }, options));
    const other = await answerOrNone(metric.score({ image, text: negative }, options));
    const isScored = original !== undefined && other !== undefined;
    const tie = isScored && isTie(original.value, other.value);
    if (tie) ties++;
    outcomes.push(isScored ? !tie && other.value > original.value : undefined);
    onPicture?.(index + 1);
  }
  const styles = pictures.map(({ style }) => style);
  return { failures: shareOf(outcomes), styles: sharesBy(outcomes, styles), ties };
}
