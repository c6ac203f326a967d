import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { checkTruth, rateImages, scoreImages } from "../../benchmarks/prototypicality/index.js";
import type { Metric } from "../../core/metric.js";
import { sceneTruth } from "../../lab/truth/scene-truth.js";
import type { Environment } from "../environment.js";
import type { Output } from "../output.js";
import { collect } from "../run/collect.js";
import { table } from "../table.js";
import { nothingScored } from "./nothing-scored.js";

/** Whether the folder is a run, whose images are scored against the texts of their prompts. */
export async function isRun(source: string, { workingDirectory }: Environment): Promise<boolean> {
  return stat(join(resolve(workingDirectory, source), "run.json")).then(
    (found) => found.isFile(),
    () => false,
  );
}

/**
 * Scores the images of a run into the run: by `metrics` against the texts of their prompts, by
 * `rater` (the filtration of ProtoBias) and by the lab's truth against their own sentences.
 */
export async function scoreRun({
  run,
  metrics,
  rater,
  judgesPhotographs,
  command,
  environment,
  output,
}: {
  readonly run: string;
  readonly metrics: readonly Metric[];
  readonly rater: Metric | undefined;
  readonly judgesPhotographs: boolean;
  readonly command: readonly string[];
  readonly environment: Environment;
  readonly output: Output;
}): Promise<void> {
  const { summaries } = await collect(
    (folder) => [
      ...(rater === undefined ? [] : [rateImages({ rater, underEvaluation: metrics })]),
      ...(folder.recipe.models.some((model) => model.startsWith("lab:painter"))
        ? [checkTruth({ truth: sceneTruth })]
        : []),
      scoreImages({ metrics }),
    ],
    { run, command, environment, output },
  );
  const rows = summaries.map(({ step, done, unscored }) => {
    const reasons = Object.entries(unscored);
    const sum = reasons.reduce((total, [, count]) => total + count, 0);
    return [
      step,
      String(done),
      String(sum),
      reasons.map(([reason, count]) => `${reason} ${count}`).join(", "),
    ];
  });
  output.result(
    table(
      [
        { title: "step" },
        { title: "scored", align: "right" },
        { title: "unscored", align: "right" },
        { title: "why" },
      ],
      rows,
    ),
  );
  output.resultJson({
    run,
    steps: summaries.map((each) => ({ ...each, unscored: { ...each.unscored } })),
  });
  const scores = summaries.at(-1);
  if (scores !== undefined && scores.planned > 0 && scores.done === 0) {
    throw nothingScored([scores.unscored], { judgesPhotographs });
  }
  output.nextCommand(`touchstone report ${run}`);
}
