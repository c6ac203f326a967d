import type { JudgeArtefact } from "../../../judges/judge-artefact.js";
import { percentOf } from "../../../report/text/certificate-text.js";
import { measuresOfJudge } from "../../../report/text/judge-measures.js";
import { pluralText } from "../../../views/number-text.js";
import { estimate3, number3 } from "../../terminal/numbers.js";
import { table } from "../../terminal/terminal-table.js";
import { wrap } from "../../terminal/wrap.js";

/** A fitted judge as a person reads it, below what it may decide alone. */
export function calibrationText(judge: JudgeArtefact, width: number): string {
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
        ? `${labels.fitting} fit the judge, ${labels.deciding} are held out`
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
      { title: `asking stops, at ${number3(fewerCalls.exact.threshold)}` },
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
