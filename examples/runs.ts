// Steps collect records into a run, here a folder. Run again, it asks only for what is missing.

import { clipScore, openPicture } from "touchstone-t2i";
import {
  auditSteps,
  benchmarkOf,
  benchmarks,
  buildDescriptions,
  buildPairs,
  buildPrompts,
  checkAttributes,
  checkTruth,
  countFaults,
  degradeImages,
  loadQueries,
  loadRubrics,
  paintDescriptions,
  paintImages,
  paintPairs,
  rateImages,
  scoreDescriptions,
  scoreImages,
} from "touchstone-t2i/benchmarks";
import {
  Budget,
  exportRun,
  hashOf,
  keyOf,
  openStore,
  recordLife,
  runStatus,
  runSteps,
  stepId,
  storesIn,
  verifyRun,
} from "touchstone-t2i/runs";
import { labModel, labPainter, labWorld } from "touchstone-t2i-lab";

const run = await openStore("my-run", {
  create: { command: "node paint.mjs", seed: 0, software: "my-script 1.0" },
});
const generators = [labPainter({ name: "a" }), labPainter({ name: "e" })];
const steps = [
  buildDescriptions({ seed: 0, count: 2 }),
  ...paintDescriptions({ generators, seed: 0, samples: 1 }),
  checkAttributes({ truth: labWorld.truth.attributes }),
];
const summaries = await runSteps({ run, steps, openPicture, budget: new Budget({ calls: 100 }) });
console.log(summaries.map(({ step, done }) => `${step}: ${done}`));

console.log(
  (await runStatus(run)).steps.length,
  (await verifyRun(run)).problems,
  steps.map(stepId),
);
console.log(benchmarkOf(run.recipe)?.name, benchmarks.length); // attribute-confusion 4
for await (const { key } of run.ofStep(stepId(steps[0] ?? { name: "", part: "" }))) {
  console.log((await recordLife(run, key)).record.type, keyOf({ key }), hashOf(new Uint8Array()));
}
await exportRun(run, "tables", { signal: new AbortController().signal });
console.log((await storesIn(".")).length);

// The steps of the other benchmarks:
const [model, generator] = [labModel("dual-encoder-balanced"), labPainter()];
export const others = [
  buildPrompts({ seed: 0, size: { total: 4 } }),
  paintImages({ generator, seed: 0 }),
  checkTruth({ truth: labWorld.truth.scene }),
  buildPairs({ source: labWorld.pairs, seed: 0, count: 2 }),
  ...paintPairs({ painters: new Map() }),
  countFaults({ truth: labWorld.truth.faults }),
  ...scoreImages({ metrics: [] }),
  ...scoreDescriptions({ metrics: [] }),
  ...auditSteps({
    queries: loadQueries(),
    rubrics: loadRubrics(),
    generators,
    judge: labModel("auditor"),
    mode: "meaning",
    alignment: [],
    images: 2,
    unit: "set",
    trials: 1,
    seed: 0,
  }),
];
export const rated = () => rateImages({ rater: clipScore({ model }) });
export const blurred = (options: Parameters<typeof degradeImages>[0]) => degradeImages(options);
