import { canonicalJson } from "../../core/json.js";
import { type Hash, hashOf } from "../../core/keys.js";
import { type ChatModel, type ImageEmbedder, modelFacts } from "../../core/models.js";
import { risk } from "../../judges/calibrate-certify.js";
import type { CalibratedJudge, CalibratingOptions } from "../../judges/calibrate-judge.js";
import { type JudgeArtefact, judgeVersion } from "../../judges/judge-artefact.js";
import type { Prompt } from "../../judges/prompt.js";
import type { Estimate } from "../../stats/estimate.js";
import { version } from "../version.js";
import type { ImageHashes } from "./open-pairs.js";
import type { LabelledPair } from "./pair-table.js";

/** What a judge's file holds of a calibration. */
export function judgeToSave(
  calibrated: CalibratedJudge,
  {
    model,
    embedder,
    prompts,
    asking,
    pairs,
    used,
    hashes,
    unscored,
    options,
  }: {
    readonly model: ChatModel;
    readonly embedder: ImageEmbedder | undefined;
    readonly prompts: readonly Prompt[];
    readonly asking: Pick<JudgeArtefact, "way" | "trials" | "ties">;
    /** All labelled pairs. */
    readonly pairs: readonly LabelledPair[];
    /** Those with a preference. */
    readonly used: readonly LabelledPair[];
    readonly hashes: ImageHashes;
    readonly unscored: number;
    readonly options: CalibratingOptions;
  },
): JudgeArtefact {
  const { fit, split, counted, n, certificate, calibration, forecast, method } = calibrated;
  const { clusters, temperature } = fit;
  const dimensions = fit.centroids.length / clusters;
  return {
    kind: "touchstone-judge",
    version: judgeVersion,
    software: `touchstone-t2i ${version()}`,
    model: modelFacts(model.identity),
    ...asking,
    prompts: [...prompts],
    embedder:
      embedder === undefined || clusters === 1
        ? null
        : { ...modelFacts(embedder.identity), dimensions },
    groups: {
      clusters,
      temperature: clusters === 1 ? null : temperature,
      centroids: clusters === 1 ? [] : rowsOf(fit.centroids, dimensions),
    },
    weights: rowsOf(fit.weights, prompts.length),
    fit: {
      ...{ objective: fit.objective, lambda: fit.lambda },
      ...{ objectiveValue: fit.objectiveValue, dualityGap: fit.dualityGap },
      leaveOneOutNll: Number.isNaN(fit.leaveOneOutNll) ? null : fit.leaveOneOutNll,
      ...{ tried: fit.tried.length, seed: options.seed },
    },
    labels: {
      hash: labelsHash(pairs, hashes),
      n: pairs.length,
      fitting: split.fitting.length,
      deciding: n,
      idle: used.length - new Set([...split.fitting, ...split.deciding]).size,
      ties: pairs.length - used.length,
      reviewed: pairs.filter(({ isReviewed }) => isReviewed).length,
      unscored,
    },
    calibration:
      calibration === undefined
        ? null
        : {
            n: calibration.n,
            accuracy: plain(calibration.intervalsOf.accuracy),
            ece: plain(calibration.intervalsOf.ece),
            nll: plain(calibration.intervalsOf.nll),
            brier: plain(calibration.intervalsOf.brier),
          },
    certification: {
      ...{ method, n, counts: counted.counts, approximate: counted.approximate },
      ...{ target: options.target, confidence: options.confidence },
      threshold: certificate.threshold,
    },
    forecast: {
      risk,
      means: [...forecast.means],
      covariances: rowsOf(forecast.covariances, prompts.length),
    },
    fewerCalls:
      calibrated.fewerCalls === undefined
        ? null
        : {
            exact: {
              ...calibrated.fewerCalls.exact,
              equal: plain(calibrated.fewerCalls.exact.equal),
            },
            approximate: {
              ...calibrated.fewerCalls.approximate,
              equal: plain(calibrated.fewerCalls.approximate.equal),
            },
          },
  };
}

/** What tells one set of labels from another, whatever the order of its rows. */
function labelsHash(pairs: readonly LabelledPair[], hashes: ImageHashes): Hash {
  const lines = pairs.map(({ id, caption, pathA, pathB, preferred }) =>
    canonicalJson([id, caption, hashes.get(pathA) ?? "", hashes.get(pathB) ?? "", preferred]),
  );
  return hashOf(new TextEncoder().encode(lines.sort().join("\n")));
}

const rowsOf = (values: Float64Array, width: number): number[][] =>
  Array.from({ length: width === 0 ? 0 : values.length / width }, (_, row) =>
    Array.from(values.subarray(row * width, (row + 1) * width)),
  );

const plain = ({ value, low, high, reason }: Estimate) => ({
  ...{ value, low, high },
  ...(reason === undefined ? {} : { reason }),
});
