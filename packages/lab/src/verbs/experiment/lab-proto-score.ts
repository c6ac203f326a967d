import { availableParallelism } from "node:os";
import { triplets } from "touchstone-t2i/internal/analysis/pairs/triplets.js";
import { buildPrompts } from "touchstone-t2i/internal/benchmarks/prototypicality/build-prompts.js";
import { paintImages } from "touchstone-t2i/internal/benchmarks/prototypicality/paint-images.js";
import { scoreImages } from "touchstone-t2i/internal/benchmarks/prototypicality/score-images.js";
import { readRunRecords } from "touchstone-t2i/internal/benchmarks/run-records.js";
import type { Environment } from "touchstone-t2i/internal/cli/environment.js";
import type { Output } from "touchstone-t2i/internal/cli/terminal/output.js";
import { collect } from "touchstone-t2i/internal/cli/verbs/run/collect.js";
import { progressOf } from "touchstone-t2i/internal/cli/verbs/score/score-progress.js";
import { keyOf } from "touchstone-t2i/internal/core/keys.js";
import type { Metric } from "touchstone-t2i/internal/core/metric.js";
import { modelName } from "touchstone-t2i/internal/core/models.js";
import { NoAnswer } from "touchstone-t2i/internal/core/unscored.js";
import { openDocuments, runPlace } from "touchstone-t2i/internal/files/open-store.js";
import { openPicture } from "touchstone-t2i/internal/images/picture.js";
import { metricByName } from "touchstone-t2i/internal/metrics/catalogue.js";
import { inParallel } from "touchstone-t2i/internal/runs/in-parallel.js";
import { z } from "zod";
import { ordinaryScenes } from "../../evaluate/ordinary-scenes.js";
import type { TimedAnswers } from "../../experiments/proto-score/answer-times.js";
import type { ProtoScoreAnswers } from "../../experiments/proto-score/comparison.js";
import { labModel } from "../../models/lab-model.js";
import { labPainter } from "../../painter/lab-painter.js";
import { cannotDraw } from "../../painter/painter.js";
import { type ProtoScoreDesign, startProbability } from "./proto-score-design.js";
import { timePairs } from "./time-pairs.js";

interface Where {
  /** The folder of the run. */
  readonly run: string;
  /** The words after `touchstone`. */
  readonly command: readonly string[];
  readonly environment: Environment;
  readonly output: Output;
}

interface NamedMetric {
  readonly says: string;
  readonly name: string;
  readonly metric: Metric;
}

interface LabProtoScore {
  readonly answers: readonly ProtoScoreAnswers[];
  /** Times of ProtoScore and the lab's judges for pairs of the test. */
  readonly timed: readonly TimedAnswers[];
}

/**
 * Paints the test, has every metric score it, and then scenes of no benchmark, and times it beside judges. The
 * test is a run that `touchstone report` reads; the scores of the scenes, and times, stand beside it.
 */
export async function labProtoScore(
  design: ProtoScoreDesign,
  where: Where,
): Promise<LabProtoScore> {
  const shown = design.shown.map(
    ({ says, metric, model }): NamedMetric => ({
      says,
      name: `lab:${model}`,
      metric: metricByName(metric).make({ model: labModel(model) }),
    }),
  );
  const { rows, store } = await benchmarkRows(design, shown, where);
  const ordinary = await ordinaryScores(design, shown, where);
  const answers = shown.map(({ says, name, metric }) => ({
    name,
    says,
    rows: rows(metric),
    ordinary: ordinary.map(({ scene, fault, scores }) => ({
      scene,
      isRight: fault === "none",
      score: scores[name]?.value ?? null,
    })),
    ...(metric.name === "clip-score" ? { probabilityOf: startProbability(design) } : {}),
  }));
  return { answers, timed: await timePairs(design, { store, ...where }) };
}

async function benchmarkRows(
  { splitSeed, test: { seed, prompts } }: ProtoScoreDesign,
  shown: readonly NamedMetric[],
  { run, command, environment, output }: Where,
) {
  const generator = labPainter();
  const metrics = shown.map(({ metric }) => metric);
  const steps = [
    buildPrompts({
      seed,
      splitSeed,
      size: { byDomain: prompts },
      domains: ["animals", "objects"],
      splits: ["evaluation"],
      canDraw: cannotDraw,
      drawableOnly: true,
    }),
    paintImages({ generator, seed, samples: 1 }),
    ...scoreImages({ metrics }),
  ];
  const { store } = await collect(() => steps, {
    run,
    command,
    seed,
    models: [modelName(generator.identity), ...metrics.map(({ model }) => model)],
    resume: ["touchstone", ...command],
    environment,
    output,
  });
  const found = triplets({ ...(await readRunRecords(store)), selection: { name: "unfiltered" } });
  const rows = (metric: Metric) => {
    const ids = found.metrics.filter(({ model }) => model === metric.model).map(({ id }) => id);
    return found.rows.filter((row) => ids.includes(row.metric));
  };
  return { rows, store };
}

const ordinaryRow = z.object({
  scene: z.string(),
  text: z.string(),
  fault: z.string(),
  scores: z.record(
    z.string(),
    z.object({ value: z.number().nullable(), reason: z.string().optional() }),
  ),
});
type OrdinaryRow = z.output<typeof ordinaryRow>;

async function ordinaryScores(
  { test: { seed, scenes } }: ProtoScoreDesign,
  shown: readonly NamedMetric[],
  { run, environment, output }: Where,
): Promise<readonly OrdinaryRow[]> {
  const path = `proto-score-${seed}`;
  const models = shown.map(({ metric }) => metric.model);
  const documents = openDocuments(runPlace(run, environment));
  const name = `ordinary-${keyOf({ path, scenes, models }).slice(0, 12)}.jsonl`;
  const kept = await documents.read(name);
  if (kept !== undefined) {
    const lines = kept.split("\n").filter((line) => line !== "");
    return lines.map((line) => ordinaryRow.parse(JSON.parse(line)));
  }
  const { signal } = environment;
  const found: OrdinaryRow[][] = [];
  let done = 0;
  const show = progressOf("Ordinary scenes:", scenes, { environment, output });
  await inParallel(numbered(ordinaryScenes({ scenes, seed: path })), {
    concurrency: 2 * availableParallelism(),
    signal,
    async work({ at, one: { name: scene, bytes, sentences } }) {
      const image = await openPicture(bytes);
      const rows: OrdinaryRow[] = [];
      for (const { text, fault } of sentences) {
        const scores: OrdinaryRow["scores"] = {};
        for (const { name, metric } of shown) {
          scores[name] = await scoreOrReason(() => metric.score({ image, text }, { signal }));
        }
        rows.push({ scene, text, fault, scores });
      }
      found[at] = rows;
      done++;
      show(done);
    },
  });
  signal.throwIfAborted();
  const rows = found.flat();
  await documents.write(name, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return rows;
}

async function scoreOrReason(score: () => ReturnType<Metric["score"]>) {
  try {
    return { value: (await score()).value };
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return { value: null, reason: error.reason };
  }
}

async function* numbered<One>(all: AsyncIterable<One>) {
  let at = 0;
  for await (const one of all) yield [{ at: at++, one }];
}
