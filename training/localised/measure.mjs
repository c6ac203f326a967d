// Measures answerers of train_answerer.py on the attribute benchmark of coloured things: the lab's painters mix
// colours up, every answerer is shown every thing by every strategy of L-VQAScore, and the truth says who is right.
//
//   node training/localised/measure.mjs --weights DIR --run DIR --seed N [--descriptions N] [--painters a,e]
//
// Prints by answerer and strategy the share of right answers and Spearman's rho of L-VQAScore's F1 with the true
// F1, and writes DIR/localised.json. DIR is a run: the command goes on with one that was stopped, and `touchstone
// report` reads it. Needs the built package.

import { readdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { calibration } from "../../dist/analysis/calibration/calibration.js";
import { confusionImages, questionsOf } from "../../dist/analysis/confusion/confusion-images.js";
import {
  buildDescriptions,
  paintDescriptions,
} from "../../dist/benchmarks/attribute-confusion/build-descriptions.js";
import { loadPublishedConfusion } from "../../dist/benchmarks/attribute-confusion/conclusion.js";
import { localizedMetrics } from "../../dist/benchmarks/attribute-confusion/localized-metrics.js";
import { referenceCorrelations } from "../../dist/benchmarks/attribute-confusion/reference-correlations.js";
import {
  checkAttributes,
  scoreDescriptions,
} from "../../dist/benchmarks/attribute-confusion/score-descriptions.js";
import { readRunRecords } from "../../dist/benchmarks/run-records.js";
import { openStore } from "../../dist/files/open-store.js";
import { localizationStrategies } from "../../dist/images/localize.js";
import { openPicture } from "../../dist/images/picture.js";
import { metricByName } from "../../dist/metrics/catalogue.js";
import { LookMemory, localizedVqaScore } from "../../dist/metrics/localized-vqa-score.js";
import { runSteps } from "../../dist/runs/run-steps.js";
import { labModel } from "../../packages/lab/dist/models/lab-model.js";
import { questionAnswerer } from "../../packages/lab/dist/models/question-answerer.js";
import { revisionOf } from "../../packages/lab/dist/models/weights.js";
import { labPainter } from "../../packages/lab/dist/painter/lab-painter.js";
import { cannotDraw } from "../../packages/lab/dist/painter/painter.js";
import { attributeTruth } from "../../packages/lab/dist/truth/attribute-truth.js";

const { values } = parseArgs({
  options: {
    weights: { type: "string" },
    run: { type: "string" },
    seed: { type: "string" },
    descriptions: { type: "string" },
    painters: { type: "string", default: "a,b,c,d,e" },
  },
});
for (const name of ["weights", "run", "seed"]) {
  if (values[name] === undefined) throw new Error(`Expected --${name}`);
}
const seed = Number(values.seed);
if (!Number.isInteger(seed)) throw new Error(`Expected an integer for --seed: ${values.seed}`);

/** The answerers of the folder, by name. */
const trained = readdirSync(values.weights)
  .filter((name) => /-\d+$/.test(name))
  .sort()
  .map((model) => {
    const directory = pathToFileURL(`${resolve(values.weights, model)}/`);
    const identity = { provider: "lab", model, revision: revisionOf(directory) };
    return questionAnswerer(directory, () => identity);
  });
if (trained.length === 0) throw new Error(`No answerer in ${values.weights}: train_answerer.py`);

const localizer = labModel("localizer");
const localised = [labModel("vqa"), ...trained].flatMap((model) => {
  const memory = new LookMemory();
  return localizationStrategies.map((strategy) =>
    localizedVqaScore({ model, localizer, strategy, memory }),
  );
});
const whole = [
  ["vqa-score", "vqa"],
  ["vqa-score", "vqa-small"],
  ["blip-vqa", "vqa"],
].map(([metric, model]) => metricByName(metric).make({ model: labModel(model) }));
const generators = values.painters.split(",").map((name) => labPainter({ name: `things-${name}` }));

const store = await openStore(values.run, {
  create: {
    command: `node training/localised/measure.mjs --seed ${seed}`,
    seed,
    software: "touchstone-t2i",
  },
});
await runSteps({
  run: store,
  openPicture,
  steps: [
    buildDescriptions({
      seed,
      sets: ["objects"],
      cannotDraw,
      ...(values.descriptions && { count: Number(values.descriptions) }),
    }),
    ...paintDescriptions({ generators, seed }),
    checkAttributes({ truth: attributeTruth }),
    ...scoreDescriptions({ metrics: [...whole, ...localised] }),
  ],
});

const { metrics, images } = confusionImages(await readRunRecords(store));
const f1 = referenceCorrelations(images, metrics, { published: loadPublishedConfusion(), seed })(
  "f1",
);
const ways = localizedMetrics(metrics);

/** One row for each answer: what was said, and what is so. */
const answersOf = (id) =>
  images.flatMap(({ image, description, scores, truths }) =>
    questionsOf(scores.get(id)?.original).map(({ entity, attribute, kind, probability }, at) => {
      const truth = truths.find(
        (one) => one.entity === entity && one.attribute === attribute && one.kind === kind,
      );
      const label = truth === undefined ? null : truth.probability;
      return { id: `${image.key}/${at}`, prompt: description.key, label, probability };
    }),
  );

const spearman = (id) => f1?.conclusion.metrics[id]?.spearman;
const minus = (metric, than) => f1?.difference({ metric, than, measure: "spearman" });
const wholeOf = (name, model) =>
  metrics.find((one) => one.metric === name && one.model.startsWith(`lab:${model}@`))?.id;
const rivals = {
  "vqa-score": wholeOf("vqa-score", "vqa"),
  "vqa-score small": wholeOf("vqa-score", "vqa-small"),
};
const localisedRows = ways.map(({ metric: { id }, answerer, strategy }) => {
  const { n, accuracy, intervalsOf } = calibration(answersOf(id), { seed });
  const by = (wanted) =>
    ways.find((one) => one.answerer === answerer && one.strategy === wanted)?.metric.id;
  return {
    answerer,
    strategy,
    answers: n,
    right: { value: accuracy, low: intervalsOf.accuracy.low, high: intervalsOf.accuracy.high },
    spearman: spearman(id),
    minusNone: strategy === "none" ? undefined : minus(id, by("none")),
    // Blurred against blackened, all else alike.
    minusBlack: strategy.includes("blurring")
      ? minus(id, by(strategy.replace("blurring", "masking")))
      : undefined,
    minus: Object.fromEntries(
      Object.entries(rivals).map(([name, than]) => [name, minus(id, than)]),
    ),
  };
});
const wholeRows = metrics
  .filter(({ metric }) => metric !== "localized-vqa-score")
  .map(({ id, metric, model }) => ({ metric, model, spearman: spearman(id) }));

const brief = (one) =>
  one?.value == null
    ? "–"
    : `${one.value.toFixed(3)} [${one.low?.toFixed(3)}, ${one.high?.toFixed(3)}]`;
const row = (cells) => `| ${cells.join(" | ")} |`;
console.log(`seed ${seed}, ${images.length} images`);
for (const { metric, model, spearman: rho } of wholeRows)
  console.log(row([metric, model, brief(rho)]));
console.log("rho of F1 with the true F1; and minus that by none, blackened, and of VQAScore:");
console.log(
  row([
    "answerer",
    "strategy",
    "answers",
    "right",
    "rho",
    "none",
    "blackened",
    ...Object.keys(rivals),
  ]),
);
for (const one of localisedRows) {
  const { answerer, strategy, answers, right, spearman: rho, minusNone, minusBlack } = one;
  const against = Object.values(one.minus).map(brief);
  console.log(
    row([
      answerer,
      strategy,
      answers,
      brief(right),
      brief(rho),
      brief(minusNone),
      brief(minusBlack),
      ...against,
    ]),
  );
}
writeFileSync(
  `${values.run}/localised.json`,
  `${JSON.stringify({ seed, images: images.length, whole: wholeRows, localised: localisedRows }, undefined, 1)}\n`,
);
