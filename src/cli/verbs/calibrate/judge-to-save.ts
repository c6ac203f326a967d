import { relative } from "node:path";
import type { Answerer } from "../../../core/answered-by.js";
import { canonicalJson } from "../../../core/json.js";
import { type Hash, hashOf } from "../../../core/keys.js";
import { type ImageEmbedder, type Model, modelFacts } from "../../../core/models.js";
import { type Anchor, anchorsOf } from "../../../judges/anchors.js";
import type { MeasuredCalibration } from "../../../judges/answer-kind.js";
import { risk } from "../../../judges/calibrate-certify.js";
import type { CalibratedJudge, CalibratingOptions } from "../../../judges/calibrate-judge.js";
import { type JudgeArtefact, judgeVersion, promptsHash } from "../../../judges/judge-artefact.js";
import type { Prompt } from "../../../judges/prompt.js";
import type { Estimate } from "../../../stats/estimate.js";
import { version } from "../../program.js";
import type { LabelledItem } from "./judged-table.js";
import type { ImageHashes } from "./open-items.js";

/** Builds a judge's file from a calibration. */
export function judgeToSave(
  calibrated: CalibratedJudge,
  {
    model,
    answerer,
    embedder,
    prompts,
    asking,
    items,
    used,
    fitting,
    folder,
    hashes,
    unscored,
    support,
    options,
  }: {
    readonly model: Model;
    readonly answerer: Answerer;
    readonly embedder: ImageEmbedder | undefined;
    readonly prompts: readonly Prompt[];
    readonly asking: Pick<JudgeArtefact, "command" | "task" | "scale" | "way" | "trials" | "ties">;
    /** All labelled items. */
    readonly items: readonly LabelledItem[];
    /** Pairs whose label is not a tie. */
    readonly used: readonly LabelledItem[];
    /** The same with their answers. */
    readonly fitting: Parameters<typeof anchorsOf>[1];
    /** Where the judge will lie. */
    readonly folder: string;
    readonly hashes: ImageHashes;
    readonly unscored: number;
    /** How many items without labels groups were found in, too. */
    readonly support: number;
    readonly options: CalibratingOptions;
  },
): JudgeArtefact {
  const { fit, split, counted, n, certificate, calibration, forecast, fewerCalls, method } =
    calibrated;
  const { clusters, temperature } = fit;
  const dimensions = fit.centroids.length / clusters;
  return {
    kind: "touchstone-judge",
    version: judgeVersion,
    software: `touchstone-t2i ${version()}`,
    model: modelFacts(model.identity),
    ...(answerer.answeredBy.length === 0 ? {} : { answeredBy: [...answerer.answeredBy] }),
    ...(answerer.snapshots.length === 0 ? {} : { snapshots: [...answerer.snapshots] }),
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
      ...(support === 0 || clusters === 1 ? {} : { support }),
    },
    weights: rowsOf(fit.weights, prompts.length),
    fit: {
      objective: fit.objective,
      lambda: fit.lambda,
      objectiveValue: fit.objectiveValue,
      dualityGap: fit.dualityGap,
      leaveOneOutNll: Number.isNaN(fit.leaveOneOutNll) ? null : fit.leaveOneOutNll,
      tried: fit.tried.length,
      seed: options.seed,
    },
    labels: {
      hash: labelsHash(items, hashes),
      n: items.length,
      fitting: split.fitting.length,
      deciding: n,
      couldDecide: split.couldDecide,
      idle: split.idle.length,
      ties: items.length - used.length,
      reviewed: used.filter(({ isReviewed }) => isReviewed).length,
      idleReviewed: split.idle.filter((at) => used[at]?.isReviewed).length,
      unscored,
    },
    calibration: calibration === undefined ? null : measured(calibration),
    certification: {
      method,
      n,
      counts: counted.counts,
      approximate: counted.approximate,
      target: options.target,
      confidence: options.confidence,
      ...(options.tries === undefined ? {} : { tries: options.tries }),
      threshold: certificate.threshold,
    },
    forecast:
      forecast === undefined
        ? null
        : {
            risk,
            means: [...forecast.means],
            covariances: rowsOf(forecast.covariances, prompts.length),
          },
    fewerCalls:
      fewerCalls === undefined
        ? null
        : {
            exact: { ...fewerCalls.exact, equal: plain(fewerCalls.exact.equal) },
            approximate:
              fewerCalls.approximate === undefined
                ? null
                : { ...fewerCalls.approximate, equal: plain(fewerCalls.approximate.equal) },
          },
    lock: { prompts: promptsHash([...prompts]), images: imagesSent(model) },
    anchors: anchorsOf(fit, fitting).flatMap((one) => anchorToSave(one, { used, folder, hashes })),
  };
}

/** How an image reaches a model. */
const imagesSent = (model: Model): string =>
  modelFacts(model.identity).baseUrl === undefined
    ? "pixels, at their own size"
    : "data URL; JPEG and PNG in sRGB as the file is, else encoded anew; shrunk to the longest side that the model takes; no detail is set";

function anchorToSave(
  { at, shares, says, confidence, weights }: Anchor,
  {
    used,
    folder,
    hashes,
  }: {
    readonly used: readonly LabelledItem[];
    readonly folder: string;
    readonly hashes: ImageHashes;
  },
): NonNullable<JudgeArtefact["anchors"]> {
  const item = used[at];
  if (item === undefined) return [];
  const { id, text, images, label } = item;
  const files = images.map(({ path }) => ({
    file: relative(folder, path),
    hash: hashes.get(path) ?? "",
  }));
  return [
    {
      id,
      text,
      images: files,
      label,
      shares: [...shares],
      says,
      confidence,
      weights: [...weights],
    },
  ];
}

/** Reports for a file how a judge did on the labels that decide. */
function measured({ n, bins, intervalsOf }: MeasuredCalibration): JudgeArtefact["calibration"] {
  const { accuracy, ece, nll } = intervalsOf;
  const shared = {
    n,
    bins: [...bins],
    accuracy: plain(accuracy),
    ece: plain(ece),
    nll: plain(nll),
  };
  if ("brier" in intervalsOf) return { ...shared, brier: plain(intervalsOf.brier) };
  return {
    ...shared,
    withinOne: plain(intervalsOf.withinOne),
    meanAbsoluteError: plain(intervalsOf.meanAbsoluteError),
    rps: plain(intervalsOf.rps),
    intervalCoverage: plain(intervalsOf.intervalCoverage),
  };
}

/** Hashes a set of labels, whatever the order of its rows. */
function labelsHash(items: readonly LabelledItem[], hashes: ImageHashes): Hash {
  const lines = items.map(({ id, text, images, label }) =>
    canonicalJson([id, text, ...images.map(({ path }) => hashes.get(path) ?? ""), label]),
  );
  return hashOf(new TextEncoder().encode(lines.sort().join("\n")));
}

const rowsOf = (values: Float64Array, width: number): number[][] =>
  Array.from({ length: width === 0 ? 0 : values.length / width }, (_, row) =>
    Array.from(values.subarray(row * width, (row + 1) * width)),
  );

const plain = ({ value, low, high, reason }: Estimate) => ({
  value,
  low,
  high,
  ...(reason === undefined ? {} : { reason }),
});
