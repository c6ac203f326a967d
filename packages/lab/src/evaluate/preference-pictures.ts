import type { Picture } from "touchstone-t2i/internal/core/models.js";
import { openPicture } from "touchstone-t2i/internal/images/picture.js";
import { labPainter } from "../painter/lab-painter.js";
import { painterNames } from "../painter/painters.js";
import { labPairs } from "../preference-pairs.js";
import { faultCount } from "../truth/fault-count.js";
import { styleInTurn } from "./held-out.js";
import { answerOrNone } from "./share.js";

/** Two pictures of one caption. */
export interface PicturePair {
  readonly caption: string;
  readonly style: string;
  readonly subject: string;
  readonly a: Picture;
  readonly b: Picture;
}

/** Two of which one is better. */
export interface PreferencePair extends PicturePair {
  readonly better: "a" | "b";
}

/** Far from the seeds that people give to `build --benchmark preference`. */
const firstSeed = 2 ** 31;

interface PaintingPairs {
  readonly captions: number;
  readonly seed: number;
  readonly onPainted?: (done: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Draws captions, styles by turns, each painted by the best of the lab's painters and by the one that
 * errs most; kept are those of which one is better by the truth.
 */
export async function paintPreferencePairs(options: PaintingPairs): Promise<PreferencePair[]> {
  const names = painterNames();
  const painted = await paintPairs([names.at(0) ?? "", names.at(-1) ?? ""], options);
  return painted.flatMap(({ wrongA, wrongB, ...pair }) =>
    wrongA === wrongB
      ? []
      : [{ ...pair, better: wrongA < wrongB ? ("a" as const) : ("b" as const) }],
  );
}

/**
 * The same, both pictures by the best painter; kept are those of which neither has a fault, so that
 * nothing but chance tells them apart.
 */
export async function paintEqualPairs(options: PaintingPairs): Promise<PicturePair[]> {
  const [best = ""] = painterNames();
  const painted = await paintPairs([best, best], options);
  return painted.flatMap(({ wrongA, wrongB, ...pair }) =>
    wrongA === 0 && wrongB === 0 ? [pair] : [],
  );
}

/** With how much is wrong in either. */
interface PaintedPair extends PicturePair {
  readonly wrongA: number;
  readonly wrongB: number;
}

async function paintPairs(
  [one, other]: readonly [string, string],
  { captions, seed, onPainted, signal }: PaintingPairs,
): Promise<PaintedPair[]> {
  const [careful, careless] = [labPainter({ name: one }), labPainter({ name: other })];
  const pairs: PaintedPair[] = [];
  for (let number = 0; number < captions; number++) {
    signal?.throwIfAborted();
    const style = styleInTurn(Math.floor(number / 3));
    const { caption, subject, seedA, seedB } = labPairs.draw({
      seed: firstSeed + seed,
      number,
      style,
    });
    const isFirst = number % 2 === 0;
    const made = await answerOrNone(
      Promise.all([
        (isFirst ? careful : careless).generate({ prompt: caption, seed: seedA }),
        (isFirst ? careless : careful).generate({ prompt: caption, seed: seedB }),
      ]),
    );
    onPainted?.(number + 1);
    if (made === undefined) continue;
    const [wrongA, wrongB] = made.map(
      ({ truth = null }) => faultCount.check({ truth, text: caption }).value,
    );
    if (wrongA === undefined || wrongB === undefined) continue;
    const [a, b] = [await openPicture(made[0].bytes), await openPicture(made[1].bytes)];
    pairs.push({ caption, style, subject, a, b, wrongA, wrongB });
  }
  return pairs;
}
