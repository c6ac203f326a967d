import type { Picture } from "../../core/models.js";
import { openPicture } from "../../images/picture.js";
import { labPainter } from "../painter/painter.js";
import { painterNames } from "../painter/painters.js";
import { labPairs } from "../preference-pairs.js";
import { faultCount } from "../truth/fault-count.js";
import { answerOrNone } from "./answer-or-none.js";
import { styleInTurn } from "./held-out.js";

/** Two pictures of one caption, of which one is better. */
export interface PreferencePair {
  readonly caption: string;
  readonly style: string;
  readonly subject: string;
  readonly a: Picture;
  readonly b: Picture;
  readonly better: "a" | "b";
}

/** Far from the seeds that people give to `build --benchmark preference`. */
const firstSeed = 2 ** 31;

/**
 * Draws captions, styles by turns, each painted by the best of the lab's painters and by the one that
 * errs most; kept are those of which one is better by the truth.
 */
export async function paintPreferencePairs({
  captions,
  seed,
  onPainted,
  signal,
}: {
  readonly captions: number;
  readonly seed: number;
  readonly onPainted?: (done: number) => void;
  readonly signal?: AbortSignal;
}): Promise<PreferencePair[]> {
  const [best = "", worst = ""] = [painterNames.at(0), painterNames.at(-1)];
  const [careful, careless] = [labPainter({ name: best }), labPainter({ name: worst })];
  const pairs: PreferencePair[] = [];
  for (let number = 0; number < captions; number++) {
    signal?.throwIfAborted();
    const style = styleInTurn(Math.floor(number / 3));
    const { caption, subject, seedA, seedB } = labPairs.draw({
      ...{ seed: firstSeed + seed, number, style },
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
    if (wrongA === undefined || wrongB === undefined || wrongA === wrongB) continue;
    const [a, b] = [await openPicture(made[0].bytes), await openPicture(made[1].bytes)];
    pairs.push({ caption, style, subject, a, b, better: wrongA < wrongB ? "a" : "b" });
  }
  return pairs;
}
