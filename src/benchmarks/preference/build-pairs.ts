import { InputError } from "../../core/errors.js";
import type { Json } from "../../core/json.js";
import type { MetricDescription, MetricScore } from "../../core/metric.js";
import { type ImageGenerator, modelName } from "../../core/models.js";
import { randomFrom } from "../../core/random.js";
import { pairSides } from "../../core/records.js";
import { partNamed, type Step } from "../../core/step.js";
import { paintPicture } from "../paint-picture.js";
import { type ScorePlan, truthStep } from "../score-step.js";

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

/** The steps that paint the pairs, one for each painter, each of which paints its pictures of every pair. */
export const paintPairs = ({
  painters,
}: {
  /** By the name that pairs have it by. */
  readonly painters: ReadonlyMap<string, ImageGenerator>;
}): Step<"image">[] =>
  [...painters].map(([name, generator]) => {
    const model = modelName(generator.identity);
    return {
      name: "paint-pairs",
      part: partNamed([name]),
      version: 1,
      produces: "image",
      parameters: { painter: name, generator: { ...generator.identity } },
      async *plan(records) {
        for await (const pair of records.ofType("pair")) {
          if (pair.status !== "done") continue;
          for (const side of pairSides) {
            if ((side === "a" ? pair.painterA : pair.painterB) !== name) continue;
            yield {
              prompt: pair.key,
              role: side,
              sample: 0,
              text: pair.caption,
              seed: side === "a" ? pair.seedA : pair.seedB,
              model,
            };
          }
        }
      },
      perform: (about, context) => paintPicture(generator, about, context),
    };
  });

/** Faults of a picture that shows another subject than its text asks for: more than all others together. */
export const anotherSubject = 10;

/** Counts how much of a text is wrong in a picture, given what is really in it: 0 where nothing is. */
export interface FaultCheck extends MetricDescription {
  check(input: { readonly truth: Json; readonly text: string }): MetricScore;
}

/** The step by which who knows what is in a picture counts what is wrong with it. */
export const countFaults = ({ truth }: { readonly truth: FaultCheck }): Step<"score"> =>
  truthStep({
    name: "count-faults",
    scorer: truth,
    plan: ofPairs,
    check: (known, { text }) => truth.check({ truth: known, text }),
  });

const ofPairs: ScorePlan = {
  parameters: {},
  async *tasks(records) {
    for await (const image of records.ofType("image")) {
      if (image.status !== "done" || (image.role !== "a" && image.role !== "b")) continue;
      yield { of: image.key, image: image.image, text: image.text };
    }
  },
};
