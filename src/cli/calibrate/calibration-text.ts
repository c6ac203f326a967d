import type { JudgeArtefact } from "../../judges/judge-artefact.js";
import { pluralText } from "../../report/number-text.js";
import { estimate3, number3 } from "../numbers.js";
import { table } from "../table.js";
import { percentOf } from "./certificate-text.js";

/** A fitted judge as a person reads it. */
export function calibrationText(judge: JudgeArtefact): string {
  const { model, prompts, groups, fit, labels, calibration, fewerCalls, certification } = judge;
  const { clusters, temperature } = groups;
  const grouped =
    clusters === 1 ? "one group of images" : `${clusters} groups of images (tau ${temperature})`;
  const nll =
    fit.leaveOneOutNll === null ? "" : `, leave-one-out NLL ${number3(fit.leaveOneOutNll)}`;
  const decided =
    certification.method === "none"
      ? "all fit, none is left to decide"
      : certification.method === "split"
        ? `${labels.fitting} fit, ${labels.deciding} decide`
        : `${labels.deciding} decide, each by a judge fitted without it`;
  const lines = [
    `${model.model}, ${pluralText(prompts.length, "prompt")}, ${grouped}, ${fit.objective}, lambda ${fit.lambda}${nll}`,
    `${pluralText(labels.n, "label")}: ${decided}`,
  ];
  if (calibration === null) return lines.join("\n");
  const measured = table(
    [
      { title: `on ${pluralText(calibration.n, "label")} that fitted nothing` },
      { title: "estimate" },
    ],
    [
      ["accuracy", estimate3(calibration.accuracy)],
      ["expected calibration error", estimate3(calibration.ece)],
      ["negative log-likelihood", estimate3(calibration.nll)],
      ["Brier score", estimate3(calibration.brier)],
    ],
  );
  if (fewerCalls === null) return [...lines, "", measured].join("\n");
  const fewer = table(
    [
      { title: `asking, at ${number3(fewerCalls.exact.threshold)}` },
      { title: "calls", align: "right" },
      { title: "same verdict" },
      { title: "change of ECE", align: "right" },
    ],
    (
      [
        ["until nothing can change", fewerCalls.exact],
        ["--approximate", fewerCalls.approximate],
      ] as const
    ).map(([name, { calls, equal, eceChange }]) => [
      name,
      percentOf(calls),
      estimate3(equal),
      eceChange === null ? "" : number3(eceChange),
    ]),
  );
  return [...lines, "", measured, "", fewer].join("\n");
}
