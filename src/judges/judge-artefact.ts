import { utf8ToBytes } from "@noble/hashes/utils.js";
import { z } from "zod";
import { InputError } from "../core/errors.js";
import { canonicalJson, isPlainObject, type Json } from "../core/json.js";
import { judgingTasks } from "../core/judging-task.js";
import { hashOf } from "../core/keys.js";
import { jsonOrNone } from "../core/read-json.js";
import { objectives } from "../ensembles/weight-problem.js";
import { certificationMethods } from "./calibrate-judge.js";
import { promptSchema } from "./prompt.js";

/** Raised when a saved judge of old can't be read any more, or one of today not by a version of old. */
export const judgeVersion = 3;

const kind = "touchstone-judge";
const share = z.number().min(0).max(1);
const count = z.int().nonnegative();
const number = z.number();
const place = { model: z.string(), baseUrl: z.string().exactOptional() };
const estimate = z.object({
  value: number.nullable(),
  low: number.nullable(),
  high: number.nullable(),
  reason: z.string().exactOptional(),
});
const counts = z.array(
  z.strictObject({ threshold: share, expectedCoverage: share, accepted: count, wrong: count }),
);
const bin = z.strictObject({
  low: number,
  high: number,
  n: count,
  accuracy: share.nullable(),
  confidence: share.nullable(),
});
const fewer = z.strictObject({
  n: count,
  threshold: share,
  calls: share,
  equal: estimate,
  eceChange: number.nullable(),
});

const anchor = z.strictObject({
  id: z.string(),
  text: z.string(),
  /** Files as seen from the judge's, and the SHA-256 of what they held. */
  images: z.array(z.strictObject({ file: z.string(), hash: z.string() })).min(1),
  label: z.number().nullable(),
  shares: z.array(share).min(1),
  says: number,
  confidence: share,
  /** Of each prompt on this item. */
  weights: z.array(share).min(1),
});

const schema = z.strictObject({
  kind: z.literal(kind),
  version: z.literal(judgeVersion),
  software: z.string(),
  /** The words after `calibrate` that made it, so that it can be made again with more labels. */
  command: z.array(z.string()),
  task: z.enum(judgingTasks),
  /** Ratings only: how many there are, and how far from people's one may be without being wrong. */
  scale: z.strictObject({ ratings: z.int().min(2), within: count }).nullable(),
  /** Who is asked. */
  model: z.strictObject(place),
  /** Who answered in its place, by the server's own word; not given where it was the model itself. */
  answeredBy: z.array(z.string()).exactOptional(),
  /** Names of the state in which the model itself answered, where the server said it. */
  snapshots: z.array(z.string()).exactOptional(),
  /** "probability": a question answerer gives P(yes) itself. */
  way: z.enum(["tokens", "samples", "probability"]),
  trials: z.int().positive(),
  /** Whether it may call both equal; that then counts half for each. */
  ties: z.boolean(),
  /** In the order of the weights. */
  prompts: z.array(promptSchema).min(1),
  /** Who places images among groups; null of one group. */
  embedder: z.strictObject({ ...place, dimensions: z.int().positive() }).nullable(),
  groups: z.strictObject({
    clusters: z.int().positive(),
    temperature: number.positive().nullable(),
    /** clusters x dimensions, each of length 1. */
    centroids: z.array(z.array(number)),
    /** Items without labels that groups were found in, too; not there of none. */
    support: z.int().positive().exactOptional(),
  }),
  /** clusters x prompts; those of a group add up to 1. */
  weights: z.array(z.array(share)).min(1),
  fit: z.strictObject({
    objective: z.enum(objectives),
    lambda: number.positive(),
    objectiveValue: number,
    dualityGap: number,
    leaveOneOutNll: number.nullable(),
    /** How many combinations of objective, lambda, groups and softness were compared. */
    tried: z.int().positive(),
    seed: count,
  }),
  labels: z.strictObject({
    /** SHA-256 over ids, texts, images and what people said. */
    hash: z.string(),
    n: count,
    fitting: count,
    deciding: count,
    /** How many could decide, were none to fit: what is left without ties, review and repeats. */
    couldDecide: count,
    /** They neither fit nor decide, since one that decides shares their text or image. */
    idle: count,
    ties: count,
    /** Labels that are no tie: how many came from review, and how many of these are idle. */
    reviewed: count,
    idleReviewed: count,
    /** Labelled items that no prompt answered. */
    unscored: count,
  }),
  /** Measured on the labels that decide; null where there are none. */
  calibration: z
    .strictObject({
      n: count,
      /** Those that `ece` is of; not in files of version 3 from before they were kept. */
      bins: z.array(bin).exactOptional(),
      accuracy: estimate,
      ece: estimate,
      nll: estimate,
      /** For one of two answers. */
      brier: estimate.exactOptional(),
      /** For ratings: see `ratingStatistics`. */
      withinOne: estimate.exactOptional(),
      meanAbsoluteError: estimate.exactOptional(),
      rps: estimate.exactOptional(),
      intervalCoverage: estimate.exactOptional(),
    })
    .nullable(),
  certification: z.strictObject({
    /**
     * split: by held-out labels, which is exact. cross-fitted: each by a judge that was
     * fitted without it, which is near. none: all labels fit.
     */
    method: z.enum(certificationMethods),
    n: count,
    /** Outcomes of thresholds on those labels, in the order in which they are tested. */
    counts,
    approximate: counts,
    /** The promise that was asked for when it was calibrated, and the threshold that came of it. */
    target: share,
    confidence: share,
    /** How often labels were counted, where more were added because nothing was certified; else once. */
    tries: z.int().positive().exactOptional(),
    threshold: share.nullable(),
  }),
  /** How answers hang together on the labels that fit, for approximate asking; not known of ratings. */
  forecast: z
    .strictObject({
      risk: share,
      means: z.array(number),
      covariances: z.array(z.array(number)),
    })
    .nullable(),
  fewerCalls: z.strictObject({ exact: fewer, approximate: fewer.nullable() }).nullable(),
  /** What else an answer depends on; not in files from before anchors were kept. */
  lock: z
    .strictObject({
      /** SHA-256 over the prompts in words. */
      prompts: z.string(),
      /** How images reach the model: this version of the program's way. */
      images: z.string(),
    })
    .exactOptional(),
  /** Items with their answers, which `judge verify` asks again. */
  anchors: z.array(anchor).exactOptional(),
});

/** A judge that was fitted, measured and saved. */
export type JudgeArtefact = z.output<typeof schema>;

/** The text of a judge's file: its content and the SHA-256 over it. */
export function sealedJudge(judge: JudgeArtefact): string {
  const content = schema.parse(judge);
  return `${JSON.stringify({ ...content, hash: hashOfContent(content as Json) }, null, 1)}\n`;
}

/** SHA-256 over prompts in full words. */
export const promptsHash = (prompts: JudgeArtefact["prompts"]): string =>
  hashOf(utf8ToBytes(canonicalJson(prompts as unknown as Json)));

/** SHA-256 over a judge's content, whatever the order of its members: what names it. */
export const judgeHash = (judge: JudgeArtefact): string => hashOfContent(judge as Json);

const hashOfContent = (content: Json): string => hashOf(utf8ToBytes(canonicalJson(content)));

/**
 * The judge that a file holds.
 *
 * @param file what errors call it.
 * @throws InputError where it is no judge, is of another version, or was changed since it was saved.
 */
export function openedJudge(text: string, file: string): JudgeArtefact {
  const hint = "Make it anew: touchstone calibrate LABELS --model MODEL --out judge.json";
  const value = parsed(text);
  const expected = `Expected a judge that calibrate saved in ${file} but`;
  if (value?.kind !== kind) throw new InputError(`${expected} received something else`, { hint });
  if (value.version !== judgeVersion) {
    const isNewer = typeof value.version === "number" && value.version > judgeVersion;
    throw new InputError(
      `${expected} it is of version ${JSON.stringify(value.version)}, and this touchstone reads ${judgeVersion}`,
      { hint: isNewer ? "It was saved by a newer touchstone: update this one." : hint },
    );
  }
  const { hash, ...content } = value;
  if (hash !== hashOfContent(content as Json)) {
    throw new InputError(`${expected} it was changed since it was saved: its hash does not fit`, {
      hint: `What it promises holds for what was calibrated alone. ${hint}`,
    });
  }
  const checked = schema.safeParse(content);
  if (checked.success) return checked.data;
  throw new InputError(`${expected} parts of it do not fit the format`, {
    problems: checked.error.issues
      .slice(0, 20)
      .map(({ path, message }) => `${path.map(String).join(".") || "the file"}: ${message}`),
    hint,
  });
}

function parsed(text: string): Record<string, unknown> | undefined {
  const value = jsonOrNone(text);
  return isPlainObject(value) ? { ...value } : undefined;
}
