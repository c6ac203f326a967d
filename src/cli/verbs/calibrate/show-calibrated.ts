import { taskTables } from "../../../core/judging-tables.js";
import type { CalibratedJudge, CalibratingOptions } from "../../../judges/calibrate-judge.js";
import { type JudgeArtefact, judgeHash } from "../../../judges/judge-artefact.js";
import { promiseWords } from "../../../judges/promise-words.js";
import { certificateText } from "../../../report/text/certificate-text.js";
import type { Output } from "../../terminal/output.js";
import { wrap } from "../../terminal/wrap.js";
import type { AnswersOfRun } from "./answers-of-run.js";
import { calibrationText } from "./judge-text.js";
import { labelWarnings } from "./label-warnings.js";
import type { SavedJudge } from "./save-judge.js";

/** Prints what a saved judge may decide alone, how good it is, and how it is asked. */
export function showCalibrated(
  judge: JudgeArtefact,
  {
    saved,
    named,
    run,
    toJudge,
    calibrated: { certificate, approximate },
    options,
    unscored,
    ofScale,
    output,
  }: {
    readonly saved: SavedJudge;
    /** The file that was to hold it. */
    readonly named: string;
    readonly run: string;
    /** A table of what is to be judged that lies beside the labels. */
    readonly toJudge: string | undefined;
    readonly calibrated: CalibratedJudge;
    readonly options: CalibratingOptions;
    readonly unscored: AnswersOfRun["unscored"];
    /** Warnings that were printed before the model was asked. */
    readonly ofScale: readonly string[];
    readonly output: Output;
  },
): void {
  const { task } = judge;
  const { file: out, changes } = saved;
  const warnings = [
    ...labelWarnings(judge, unscored),
    ...(changes === undefined
      ? []
      : [`${named} is certified and stays; the new judge is ${out}. ${changes}`]),
  ];
  output.resultJson({
    out,
    hash: judgeHash(judge),
    task,
    scale: judge.scale,
    model: judge.model,
    labels: judge.labels,
    fit: { ...judge.fit, clusters: judge.groups.clusters, temperature: judge.groups.temperature },
    calibration: judge.calibration,
    certification: {
      method: judge.certification.method,
      target: options.target,
      confidence: options.confidence,
      certificate: { ...certificate },
      approximate: { ...approximate },
    },
    fewerCalls: judge.fewerCalls,
    unscored: { ...unscored },
    warnings: [...ofScale, ...warnings],
  });
  const { style } = output;
  const verdict = style.bold(wrap(certificateText(certificate, judge, options), style.width));
  output.result(`${verdict}\n\n${calibrationText(judge, style.width)}`);
  for (const warning of warnings) output.warn(warning);
  output.note(`Wrote ${out}; what the model answered is in ${run}`);
  const table = toJudge ?? tableToJudge(task);
  if (toJudge === undefined) {
    output.note(
      `Next judges a table of yours, ${table}, with the columns ${taskTables[task].columns}:`,
    );
  }
  output.nextCommand(["judge", table, "--judge", out, ...promiseWords(options)]);
}

/** What a table of items without labels is called. */
export const tableToJudge = (task: JudgeArtefact["task"]) =>
  task === "pair" ? "pairs.csv" : "images.csv";
