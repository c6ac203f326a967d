// node bench/coverage-grouped.mjs [SET-UP ...] [--try]
//
// Do the 95 % intervals of `analyze correlation --human-counts` hold the truth 95 times in 100? Images
// are drawn from populations that follow people more or less, people count in each what is right, and
// the truth is what the same protocol (so many images, 25 groups) gives on average over samples and
// dealings. Plain quantiles of the resamples stand beside those moved to the value, which are used.
// docs/research/intervals.md says what came of it. --try draws few samples by another seed, to see that it runs.

import { measures } from "../dist/analysis/correlation/correlation-measures.js";
import { centredInterval } from "../dist/analysis/correlation/grouped-correlation.js";
import { dealtMeasures } from "../dist/analysis/correlation/grouping.js";
import { Samples } from "../dist/analysis/inference/grouped-samples.js";
import { randomFrom } from "../dist/core/random.js";
import { percentileInterval } from "../dist/stats/percentile-interval.js";
import { columnWidth, legend, Tally } from "./coverage-tally.mjs";

const words = process.argv.slice(2);
const isTrial = words.includes("--try");
const asked = words.filter((word) => word !== "--try");

// Settled before the first run in earnest.
const seed = isTrial ? "trial" : 20_261_122;
const often = { samples: isTrial ? 5 : 300, resamples: isTrial ? 20 : 200 };
const truthSamples = isTrial ? 100 : 4000;
const groups = 25;
const shown = ["spearman", "kendallTauB", "pearson", "pairwiseAccuracy"];

/** `noise`: the deviation of a score from what is in the image, whose own deviation is 1. */
const setUps = {
  strong: { prompts: 200, each: 1, follows: 1, noise: 0.5, seeds: 5 },
  weak: { prompts: 200, each: 1, follows: 1, noise: 1.5, seeds: 5 },
  none: { prompts: 200, each: 1, follows: 0, noise: 1, seeds: 5 },
  clustered: { prompts: 50, each: 4, follows: 1, noise: 1.5, seeds: 5 },
  few: { prompts: 75, each: 1, follows: 1, noise: 0.5, seeds: 5 },
  many: { prompts: 800, each: 1, follows: 1, noise: 1.5, seeds: 5 },
  dealt: { prompts: 200, each: 1, follows: 1, noise: 1.5, seeds: 20 },
};

console.log(
  `${legend}\nSeed ${seed}, ${often.samples} samples, ${often.resamples} resamples of each.`,
);
for (const [name, setUp] of Object.entries(setUps)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const start = performance.now();
  const truths = truthsOf(name, setUp);
  const kinds = { quantiles: percentileInterval, moved: moved };
  const tallies = shown.map((measure) =>
    Object.values(kinds).map(() => new Tally(truths[measures.indexOf(measure)])),
  );
  const random = randomFrom(seed, "samples", name);
  for (let sample = 0; sample < often.samples; sample++) {
    const options = { target: "f1", groups, seeds: setUp.seeds, seed: sample };
    const rows = imagesOf(setUp, random, sample);
    const [found] = new Samples(rows, { ...options, resamples: often.resamples }).ofEach([0]);
    shown.forEach((measure, at) => {
      const which = measures.indexOf(measure);
      Object.values(kinds).forEach((intervalOf, kind) => {
        tallies[at][kind].add(intervalOf(found.resampled[which], found.values[which], measure));
      });
    });
  }
  const { prompts, each, seeds } = setUp;
  console.log(
    `\n${name}: ${prompts} prompts of ${each}, ${seeds} dealings\n${" ".repeat(18)}` +
      Object.keys(kinds)
        .map((kind) => kind.padEnd(columnWidth))
        .join("  ")
        .trimEnd(),
  );
  shown.forEach((measure, at) => {
    const truth = tallies[at][0].truth.toFixed(3);
    console.log(`${measure.padEnd(17)} ${tallies[at].join("  ")} truth ${truth}`);
  });
  console.error(`${name}: ${((performance.now() - start) / 1000).toFixed(0)} s`);
}

function moved(resampled, value, measure) {
  return centredInterval(value, resampled, measure === "pairwiseAccuracy" ? [0, 1] : [-1, 1]);
}

/** Means of one dealing of each of many samples. */
function truthsOf(name, setUp) {
  const random = randomFrom(seed, "truth", name);
  const sums = new Float64Array(measures.length);
  for (let sample = 0; sample < truthSamples; sample++) {
    const images = imagesOf(setUp, random, sample);
    const column = (of) => Float64Array.from(images, of);
    const valuesOf = dealtMeasures(
      {
        tp: column(({ counts }) => counts[0]),
        fp: column(({ counts }) => counts[1]),
        fn: column(({ counts }) => counts[2]),
        scores: [column(({ scores }) => scores[0])],
      },
      { target: "f1", groups, seeds: 1 },
    );
    const values = valuesOf(Int32Array.from(images.keys()), () => random);
    for (let at = 0; at < sums.length; at++) sums[at] += values[at] / truthSamples;
  }
  return sums;
}

/** Half of what makes an image good or bad is its prompt. */
function imagesOf({ prompts, each, follows, noise }, random, sample) {
  return Array.from({ length: prompts }, (_, prompt) => {
    const common = normal(random);
    return Array.from({ length: each }, (__, at) => {
      const quality = Math.SQRT1_2 * (common + normal(random));
      const share = 1 / (1 + Math.exp(-1 - quality));
      const counts = [0, 0, 0];
      for (let question = 0; question < 4; question++) {
        counts[random.next() < share ? 0 : 2] += 1;
        if (random.next() > share) counts[1] += 1;
      }
      const scores = [follows * quality + noise * normal(random)];
      return { id: `${sample} ${prompt} ${at}`, prompt: `${prompt}`, counts, scores };
    });
  }).flat();
}

function normal(random) {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}
