import { InputError } from "../../core/errors.js";
import { randomFrom } from "../../core/random.js";
import type { Step } from "../../core/step.js";

/** Where captions come from, and by which seeds they are painted in a style. */
export interface PairSource {
  readonly name: string;
  readonly version: number;
  readonly styles: readonly string[];
  /** Painters that can paint them, best first. */
  readonly painters: readonly string[];
  /** The `number`-th caption of a seed: its words, what it is about, a seed for each picture. */
  draw(asked: { readonly seed: number; readonly number: number; readonly style: string }): {
    readonly caption: string;
    readonly subject: string;
    readonly seedA: number;
    readonly seedB: number;
  };
}

export interface BuildPairsOptions {
  readonly source: PairSource;
  readonly seed: number;
  readonly count: number;
  /** Styles of the source; all where not given. They take turns. */
  readonly styles?: readonly string[];
}

/**
 * The step that draws pairs: a caption, and two painters of different quality for it, one from the
 * better half and one from the worse, either of them first as often.
 *
 * @throws InputError for a style that the source has not.
 */
export function buildPairs({
  source,
  seed,
  count,
  styles = source.styles,
}: BuildPairsOptions): Step<"pair"> {
  const unknown = styles.find((style) => !source.styles.includes(style));
  if (unknown !== undefined) {
    throw new InputError(
      `Expected one of ${source.styles.join(", ")} for the style but received "${unknown}"`,
    );
  }
  const half = Math.floor(source.painters.length / 2);
  return {
    name: "build-pairs",
    version: 1,
    produces: "pair",
    parameters: { seed, count, styles, source: `${source.name}@${source.version}` },
    async *plan() {
      for (let number = 0; number < count; number++) {
        const random = randomFrom(seed, "pairs", number);
        const better = random.pick(source.painters.slice(0, half));
        const worse = random.pick(source.painters.slice(-half));
        const isFirst = random.chance(0.5);
        yield {
          benchmark: "preference",
          source: `${source.name}@${source.version}`,
          seed,
          number,
          // The subjects take turns as well, so styles change after a round of both.
          style: styles[Math.floor(number / roundOfSubjects) % styles.length] ?? "",
          painterA: isFirst ? better : worse,
          painterB: isFirst ? worse : better,
        };
      }
    },
    perform: async ({ seed: itsSeed, number, style }) =>
      source.draw({ seed: itsSeed, number, style }),
  };
}

/** People, animals and things. */
const roundOfSubjects = 3;
