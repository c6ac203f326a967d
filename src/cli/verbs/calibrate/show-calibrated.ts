import { asJson } from "../../../core/json.js";
import { taskTables } from "../../../core/judging-task.js";
import type { CalibratedJudge, CalibratingOptions } from "../../../judges/calibrate-judge.js";
import { type JudgeArtefact, judgeHash } from "../../../judges/judge-artefact.js";
import { promiseWords } from "../../../judges/promise-words.js";
import { measuresOfJudge } from "../../../report/text/judge-measures.js";
import { certificateText, percentOf, thresholdText } from "../../../views/certificate-text.js";
import { pluralText } from "../../../views/number-text.js";
import type { CollectedRun } from "../../command-line/command.js";
import { estimate3, number3 } from "../../terminal/numbers.js";
import type { Output } from "../../terminal/output.js";
import { table } from "../../terminal/terminal-table.js";
import { wrap } from "../../terminal/wrap.js";
import type { AnswersOfRun } from "./answers-of-run.js";
import type { SavedJudge } from "./judge-to-save.js";
import { labelWarnings } from "./label-warnings.js";

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
    sanity,
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
    readonly sanity: CollectedRun["sanity"];
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
    ...(sanity === undefined ? {} : { sanity: asJson(sanity) }),
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

/** What became of labels that neither fit nor decide: they lie in no sum, so that it is said. */
function restText({ n, fitting, deciding, ties, reviewed }: JudgeArtefact["labels"]): string {
  const rest = n - fitting - deciding;
  if (rest <= 0) return "";
  const why = [
    ...(ties > 0 ? [pluralText(ties, "tie")] : []),
    ...(reviewed > 0 ? [`${reviewed} from review`] : []),
  ];
  return `, ${rest} count for neither${why.length === 0 ? "" : ` (with ${why.join(" and ")})`}`;
}

/** A fitted judge as a person reads it, below what it may decide alone. */
function calibrationText(judge: JudgeArtefact, width: number): string {
  const { model, prompts, groups, fit, labels, calibration, fewerCalls, certification } = judge;
  const { clusters, temperature } = groups;
  const grouped =
    clusters === 1 ? "one group of images" : `${clusters} groups of images (tau ${temperature})`;
  const nll =
    fit.leaveOneOutNll === null
      ? ""
      : `, leave-one-out negative log-likelihood ${number3(fit.leaveOneOutNll)}`;
  const decided =
    certification.method === "none"
      ? "all fit the judge, none is held out"
      : certification.method === "split"
        ? `${labels.fitting} fit the judge, ${labels.deciding} are held out${restText(labels)}`
        : `${labels.deciding} set the threshold, each by a judge fitted without it`;
  const lines = [
    `${taskText(judge)}: ${model.model}, ${pluralText(prompts.length, "prompt")}, ${grouped}, ${fit.objective}, lambda ${fit.lambda}${nll}`,
    `${pluralText(labels.n, "label")}: ${decided}`,
  ].map((line) => wrap(line, width));
  if (calibration === null) return lines.join("\n");
  const measured = table(
    [{ title: `on ${pluralText(calibration.n, "held-out label")}` }, { title: "estimate" }],
    measuresOfJudge(judge).map(([name, estimate]) => [name, estimate3(estimate)]),
    width,
  );
  if (fewerCalls === null) return [...lines, "", measured].join("\n");
  const fewer = table(
    [
      { title: `asking stops, at ${thresholdText(fewerCalls.exact.threshold)}` },
      { title: "calls", align: "right" },
      { title: "same verdict" },
      { title: "change of calibration error", align: "right" },
    ],
    (
      [
        ["once nothing can change", fewerCalls.exact],
        ["--approximate", fewerCalls.approximate],
      ] as const
    ).flatMap(([name, fewer]) =>
      fewer === null
        ? []
        : [
            [
              name,
              percentOf(fewer.calls),
              estimate3(fewer.equal),
              fewer.eceChange === null ? "" : number3(fewer.eceChange),
            ],
          ],
    ),
    width,
  );
  return [...lines, "", measured, "", fewer].join("\n");
}

/** @example "Ratings from 1 to 4, wrong where more than 1 off" */
const taskText = ({ task, scale }: JudgeArtefact): string => {
  if (scale === null) return task === "pair" ? "Pairs" : "Questions of yes or no";
  const wrong = scale.within === 0 ? "another than people's" : `more than ${scale.within} off`;
  return `Ratings from 1 to ${scale.ratings}, wrong where ${wrong}`;
};
