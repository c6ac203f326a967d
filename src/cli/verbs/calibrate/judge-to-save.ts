import { relative, resolve } from "node:path";
import type { Answerer } from "../../../core/answered-by.js";
import { asJson, canonicalJson, type Json } from "../../../core/json.js";
import { type Hash, hashOf } from "../../../core/keys.js";
import { type ImageEmbedder, type Model, modelFacts } from "../../../core/models.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { absent } from "../../../files/file-error.js";
import { readTextFile, UnreadableFile } from "../../../files/regular-file.js";
import type { MeasuredCalibration } from "../../../judges/answer-kind.js";
import { risk } from "../../../judges/calibrate-certify.js";
import type { CalibratedJudge, CalibratingOptions } from "../../../judges/calibrate-judge.js";
import {
  type JudgeArtefact,
  judgeVersion,
  openedJudge,
  promptsHash,
  sealedJudge,
} from "../../../judges/judge-artefact.js";
import type { Prompt } from "../../../judges/prompt.js";
import { type Anchor, anchorsOf } from "../../../judges/verify-anchors.js";
import type { Estimate } from "../../../stats/estimate.js";
import { percentOf, thresholdText } from "../../../views/certificate-text.js";
import { besideName } from "../../command-line/out-path.js";
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

/** Where a judge was saved. */
export interface SavedJudge {
  readonly file: string;
  /** What changes with it, where another certified judge stands in the file that was named. */
  readonly changes: string | undefined;
}

/**
 * Saves a judge in the file that was named, or, where a certified judge stands there that decides
 * otherwise, beside it: that one is replaced by nobody but the user.
 */
export async function saveJudge(
  judge: JudgeArtefact,
  { out, workingDirectory }: { readonly out: string; readonly workingDirectory: string },
): Promise<SavedJudge> {
  const save = (file: string) =>
    writeFileAtomically(resolve(workingDirectory, file), sealedJudge(judge));
  let first: JudgeArtefact | undefined;
  for (let number = 1; ; number++) {
    const file = besideName(out, number);
    const standing = await judgeIn(resolve(workingDirectory, file), file);
    first ??= standing;
    if (standing !== undefined && isCertified(standing) && !decideAlike(standing, judge)) continue;
    await save(file);
    return { file, changes: first && file !== out ? changesText(first, judge) : undefined };
  }
}

const isCertified = ({ certification }: JudgeArtefact): boolean => certification.threshold !== null;

/** Returns the judge in a file; undefined where there is no file, or it holds something else. */
async function judgeIn(path: string, file: string): Promise<JudgeArtefact | undefined> {
  const text = await readTextFile(path).catch((error: unknown) =>
    error instanceof UnreadableFile ? undefined : absent(file)(error),
  );
  try {
    return text === undefined ? undefined : openedJudge(text, file);
  } catch {
    return undefined;
  }
}

/** Whether two judges decide the same by the same promise, whatever labels they know. */
const decideAlike = (one: JudgeArtefact, other: JudgeArtefact): boolean =>
  canonicalJson(decidingPart(one)) === canonicalJson(decidingPart(other));

function decidingPart({ software, command, labels, lock, anchors, ...judge }: JudgeArtefact): Json {
  return asJson(judge);
}

/** @example "accepts 74 % of 120 held-out labels (before 80 % of 90), at confidence 0.81 or more (before 0.84)" */
function changesText(before: JudgeArtefact, after: JudgeArtefact): string {
  const [was, is] = [before, after].map(acceptanceOf);
  return `The new judge ${is}; the one in place ${was}.`;
}

function acceptanceOf({ certification }: JudgeArtefact): string {
  const { threshold, counts, n, target, confidence } = certification;
  if (threshold === null) return `is not certified for ${percentOf(target)}`;
  const accepted = counts.findLast((count) => count.threshold === threshold)?.accepted ?? 0;
  return (
    `accepts ${percentOf(accepted / n)} of ${n} held-out labels from confidence ${thresholdText(threshold)} on ` +
    `(at most ${percentOf(target)} wrong, with ${percentOf(confidence)} confidence)`
  );
}
