import { encode } from "fast-png";
import { buildPrompts } from "../../src/benchmarks/prototypicality/build-prompts.js";
import { paintImages } from "../../src/benchmarks/prototypicality/paint-images.js";
import {
  checkTruth,
  rateImages,
  scoreImages,
} from "../../src/benchmarks/prototypicality/score-images.js";
import type { Metric } from "../../src/core/metric.js";
import type { ImageGenerator } from "../../src/core/models.js";
import { randomFrom } from "../../src/core/random.js";
import { NoAnswer } from "../../src/core/unscored.js";
import { openStore } from "../../src/files/open-store.js";
import { openPicture } from "../../src/images/picture.js";
import { runSteps } from "../../src/runs/run-steps.js";
import { madeOnce } from "../support/made-once.js";

/** Draws a plain square whose colour follows from prompt and seed; one in fifty is refused. */
const generator: ImageGenerator = {
  identity: { provider: "lab", model: "squares", revision: "1" },
  async generate({ prompt, seed }) {
    const random = randomFrom("square", prompt, seed);
    if (random.chance(0.02)) throw new NoAnswer("refused", "not <b>this</b> one");
    const colour = [random.integer(256), random.integer(256), random.integer(256)];
    const data = Uint8Array.from({ length: 24 * 24 * 3 }, (_, at) => colour[at % 3] ?? 0);
    return {
      bytes: encode({ width: 24, height: 24, data, channels: 3, depth: 8 }),
      truth: { isRight: random.chance(0.9) },
    };
  },
};

/** A metric without a model: its scores follow from picture and text. */
function fakeMetric(
  about: Pick<Metric, "name" | "statistic" | "range"> & { model: string; direction?: "lower" },
  score: (random: number, text: string) => number,
): Metric {
  return {
    version: 1,
    direction: "higher",
    ...about,
    async score({ image, text }) {
      const random = randomFrom(about.name, about.model, image.hash, text);
      if (about.name === "vqa-score" && random.chance(0.01)) {
        throw new NoAnswer("timeout", "no answer within 30 s");
      }
      return { value: score(random.next(), text), question: `Is it "${text}"?` };
    },
  };
}

const metrics = [
  fakeMetric(
    { name: "clip-score", statistic: "cosine", model: "fake:dual", range: [0, 1] },
    (random) => random,
  ),
  fakeMetric(
    { name: "vqa-score", statistic: "P(yes)", model: "fake:vqa", range: [0, 1] },
    (random) => Math.round(random * 50) / 50,
  ),
  fakeMetric(
    {
      name: "distance",
      statistic: "distance",
      model: "fake:far",
      range: [0, 9],
      direction: "lower",
    },
    (random) => random * 9,
  ),
];

const raterThat = (rate: (random: number, text: string) => number) =>
  fakeMetric(
    { name: "vqa-rating", statistic: "1 + 9 P(yes)", model: "fake:rater", range: [1, 10] },
    rate,
  );

interface SampleOptions {
  readonly isRated?: boolean;
  /** What the filter rates an image, from a uniform number and the image's own prompt. */
  readonly rate?: (random: number, text: string) => number;
}

/** Makes a small run from made-up parts, as `touchstone demo` makes one from real ones. */
export const makeSampleRun = (directory: string, options: SampleOptions = {}): Promise<void> =>
  options.rate === undefined
    ? madeOnce(`sample ${JSON.stringify(options)}`, directory, (into) => sampleRun(into, options))
    : sampleRun(directory, options);

async function sampleRun(
  directory: string,
  { isRated = true, rate = (random) => 6.5 + random * 3.5 }: SampleOptions,
): Promise<void> {
  const folder = await openStore(directory, {
    create: { command: "touchstone demo --run sample", seed: 7, software: "0.0.0" },
  });
  const canDraw = (sentence: string) =>
    sentence.includes("platypus") ? "there is no picture of a platypus" : undefined;
  const filters = [
    rateImages({ rater: raterThat(rate), underEvaluation: metrics }),
    checkTruth({
      truth: {
        name: "truth-check",
        version: 1,
        statistic: "1 if all is there",
        model: "lab:truth",
        range: [0, 1],
        direction: "higher",
        check: ({ truth }) => ({ value: JSON.stringify(truth).includes("true") ? 1 : 0 }),
      },
    }),
  ];
  await runSteps({
    run: folder,
    steps: [
      buildPrompts({
        seed: 7,
        size: { total: 30 },
        splits: ["evaluation"],
        canDraw,
        drawableOnly: true,
      }),
      paintImages({ generator, seed: 7, samples: 2, splits: ["evaluation"] }),
      ...(isRated ? filters : []),
      ...scoreImages({ metrics }),
    ],
    openPicture,
    now: () => new Date("2000-01-01T00:00:00Z"),
  });
}
