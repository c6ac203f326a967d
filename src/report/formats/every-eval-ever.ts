import { createHash } from "node:crypto";
import { metricCatalogue } from "../../metrics/catalogue.js";
import {
  isHubName,
  isValued,
  modelsOf,
  nameWithin,
  type ResultFile,
  type ResultSource,
  type Subject,
  slugOf,
  unscoredNote,
  type Valued,
  type WriteResult,
} from "./format.js";
import type { Result } from "./result.js";

/** The version of the schema that is written (github.com/evaleval/every_eval_ever). */
export const everyEvalEverVersion = "0.3.0";

/** One uuid.json for each model, with uuid_samples.jsonl where scores of single prompts are known. */
export const everyEvalEver: WriteResult = (result, source) => {
  const { models, left } = modelsOf(result, source);
  return {
    files: models.flatMap((subject) => filesOf(subject, { result, source })),
    notes: [
      ...left,
      ...unscoredNote(result.figures, "source_metadata names them, since a score must be a number"),
      ...(result.samples.some(({ value }) => value === null)
        ? [
            "Unscored samples have no line, since a score must be a number; unscored_rows counts them.",
          ]
        : []),
    ],
  };
};

function filesOf(subject: Subject, whole: Whole): ResultFile[] {
  const { source } = whole;
  const folder = `data/${slugOf(source.data)}/${modelId(subject.name)}`;
  const id = uuidOf(source, subject);
  const lines = sampleLines(subject, whole);
  const samples = `${folder}/${id}_samples.jsonl`;
  const body = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const unscored = subject.samples.filter(({ value }) => value === null).length;
  const evaluation = {
    ...headOf(subject, whole),
    ...(lines.length > 0 && {
      detailed_evaluation_results: {
        format: "jsonl",
        file_path: samples,
        hash_algorithm: "sha256",
        checksum: createHash("sha256").update(body).digest("hex"),
        total_rows: lines.length,
        additional_details: { unscored_rows: String(unscored) },
      },
    }),
  };
  return [
    { path: `${folder}/${id}.json`, content: `${JSON.stringify(evaluation, null, 2)}\n` },
    ...(lines.length > 0 ? [{ path: samples, content: body }] : []),
  ];
}

interface Whole {
  readonly result: Result;
  readonly source: ResultSource;
}

function headOf(subject: Subject, { result, source }: Whole) {
  const missing = subject.figures.filter((figure) => !isValued(figure));
  const at = secondsOf(source.at);
  return {
    schema_version: everyEvalEverVersion,
    evaluation_id: evaluationId(subject, source),
    evaluation_timestamp: at,
    retrieved_timestamp: secondsOf(source.now),
    source_metadata: {
      source_name: source.name,
      source_type: "evaluation_run",
      source_organization_name: "unknown",
      evaluator_relationship: "other",
      additional_details: {
        source_sha256: source.hash,
        verdict: result.verdict,
        ...(missing.length > 0 && {
          unscored: JSON.stringify(
            Object.fromEntries(
              missing.map((one) => [nameWithin(one, subject.name), one.reason ?? "undefined"]),
            ),
          ),
        }),
      },
    },
    eval_library: { name: "touchstone-t2i", version: source.version },
    model_info: modelInfo(subject.name),
    evaluation_results: subject.figures.filter(isValued).map((figure) => ({
      evaluation_result_id: nameWithin(figure, subject.name),
      evaluation_name: `${source.data}: ${nameWithin(figure, subject.name)}`,
      source_data: dataOf(source.data),
      evaluation_timestamp: at,
      metric_config: configOf(figure, result),
      score_details: scoreOf(figure),
    })),
  };
}

/** Names of figures of which less is better, by their end. */
const isLess =
  /(failure|error|tie)Rate$|FailureRate$|^(e|m|classwiseE|classwiseM)ce$|^(brier|nll)$|incorrectMargin$|CoverageArea$|seconds|cost/i;

function configOf({ name, unit }: Valued, { metric, direction, judge, range }: Result) {
  const last = name.split(".").at(-1) ?? name;
  const isKnown = isLess.test(last) || (last === "mean" && direction !== undefined);
  const isChat =
    judge !== undefined &&
    !metricCatalogue.some((one) => one.name === metric && one.needs.includes("TextEmbedder"));
  return {
    metric_id: `touchstone.${name}`,
    metric_name: metric === undefined ? name : `${metric}, ${name}`,
    ...(unit !== undefined && { metric_unit: unit }),
    lower_is_better: last === "mean" ? direction === "lower" : isLess.test(last),
    // The type demands a range, which is not known of most figures.
    ...(last === "mean" && range !== undefined
      ? { score_type: "continuous", min_score: range[0], max_score: range[1] }
      : {}),
    ...(isChat && {
      llm_scoring: {
        judges: [{ model_info: modelInfo(judge.model) }],
        input_prompt: judge.template ?? "unknown",
      },
    }),
    ...(!isKnown && {
      additional_details: { direction: "not stated: lower_is_better is no claim" },
    }),
  };
}

function scoreOf({ value, low, high, n, unscored, level, method }: Valued) {
  const interval =
    low === null || high === null
      ? undefined
      : {
          lower: low,
          upper: high,
          ...(level !== undefined && { confidence_level: level }),
          ...(method !== undefined && { method }),
        };
  return {
    score: value,
    ...(unscored !== undefined && { details: { unscored: String(unscored) } }),
    ...((interval !== undefined || n !== undefined) && {
      uncertainty: {
        ...(interval && { confidence_interval: interval }),
        ...(n !== undefined && { num_samples: n }),
      },
    }),
  };
}

function sampleLines(subject: Subject, { source }: Whole) {
  const scored = subject.samples.flatMap((one) =>
    one.value === null ? [] : [{ ...one, value: one.value }],
  );
  const isBinary = scored.every(({ value }) => value === 0 || value === 1);
  const mean = subject.figures.find(({ name }) => name === "mean");
  return scored.map(({ id, text, value, image, metric }) => ({
    schema_version: everyEvalEverVersion,
    evaluation_id: evaluationId(subject, source),
    model_id: modelId(subject.name),
    evaluation_name: `${source.data}: ${metric ?? "score"}`,
    ...(mean !== undefined && { evaluation_result_id: nameWithin(mean, subject.name) }),
    sample_id: id,
    sample_hash: createHash("sha256").update(text).digest("hex"),
    interaction_type: "single_turn",
    input: { raw: text, reference: [] },
    output: { raw: image === undefined ? [] : [`sha256:${image}`] },
    answer_attribution: [],
    evaluation: { score: value, is_correct: isBinary && value === 1 },
    metadata: { is_correct_applies: String(isBinary) },
  }));
}

const evaluationId = (subject: Subject, source: ResultSource) =>
  `${slugOf(source.data)}/${modelId(subject.name)}/${secondsOf(source.at)}`;

const secondsOf = (date: Date) => String(Math.floor(date.getTime() / 1000));

/** "OWNER/NAME" of a model; a name without an owner is of an unknown one. */
function modelId(name: string): string {
  const [owner, ...rest] = name.split("/");
  return rest.length === 0
    ? `unknown/${slugOf(name)}`
    : `${slugOf(owner ?? "")}/${slugOf(rest.join("-"))}`;
}

const modelInfo = (name: string) => ({
  name,
  id: modelId(name),
  additional_details: { deployment_type: "unknown", model_availability: "unknown" },
});

const dataOf = (data: string) =>
  isHubName(data)
    ? { dataset_name: data, source_type: "hf_dataset", hf_repo: data }
    : { dataset_name: data, source_type: "other" };

/** A version 4 UUID by the hash of what is exported, so that the same result gives the same file. */
function uuidOf({ hash, data }: ResultSource, { name }: Subject): string {
  const hex = createHash("sha256").update(`${hash} ${data} ${name}`).digest("hex");
  const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) % 4];
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}
