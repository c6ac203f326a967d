import { z } from "zod";
import { InputError } from "../../core/errors.js";
import { isPlainObject } from "../../core/json.js";
import {
  type ForeignFile,
  type ForeignRow,
  type ForeignTool,
  firstText,
  nextForScores,
  parsed,
  scoreRow,
  text,
} from "./foreign-table.js";

const sampleSchema = z.looseObject({
  doc_id: text,
  doc: z.unknown().optional(),
  target: z.unknown().optional(),
  filter: z.string().nullish(),
  /** Names of the metrics; versions before 0.4.6, and lmms-eval, have none. */
  metrics: z.array(z.string()).nullish(),
});
type Sample = z.output<typeof sampleSchema>;

const resultsSchema = z.looseObject({
  model_name: z.string().nullish(),
  config: z.looseObject({ model: z.string().nullish(), model_args: z.unknown() }).nullish(),
});

/** Members of a sample that are no metric. */
const about = new Set([
  ...["doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"],
  ...["doc_hash", "prompt_hash", "target_hash", "token_counts", "input", "input_media"],
  ...["schema_version", "submission"],
]);

const lmEvalName = /^(?:(.*)\/)?samples_(.+)_(\d{4}-\d\d-\d\dT[^/]*)\.jsonl$/;
const lmmsEvalName = /^(?:(.*)\/)?(\d{8}_\d{6})_samples_(.+)\.jsonl$/;

interface SampleFile {
  readonly file: ForeignFile;
  readonly folder: string;
  readonly task: string;
  /** When it was made, in a form that can be sorted. */
  readonly date: string;
}

function sampleFile(file: ForeignFile): SampleFile {
  const { name } = file;
  const [, lmFolder, lmTask, lmDate] = lmEvalName.exec(name) ?? [];
  if (lmTask !== undefined) {
    return { file, folder: lmFolder ?? "", task: lmTask, date: lmDate ?? "" };
  }
  const [, folder, date, task] = lmmsEvalName.exec(name) ?? [];
  const [, bare = name] = /([^/]+)\.jsonl?$/.exec(name) ?? [];
  return { file, folder: folder ?? "", task: task ?? bare, date: date ?? "" };
}

/** The files of the newest evaluation of each task in each folder, and how many older ones there are. */
function newest(files: readonly SampleFile[]): { files: SampleFile[]; older: number } {
  const found = new Map<string, SampleFile>();
  for (const one of files) {
    const key = JSON.stringify([one.folder, one.task]);
    const known = found.get(key);
    if (known === undefined || known.date < one.date) found.set(key, one);
  }
  return { files: [...found.values()], older: files.length - found.size };
}

const isResults = ({ name }: ForeignFile) => /(^|[/_])results([_.][^/]*)?\.json$/.test(name);

/** The model that a folder's results name; else the folder, which both tools call after it. */
function modelOf({ folder, date }: SampleFile, results: readonly ForeignFile[]): string | null {
  const folderOf = ({ name }: ForeignFile) => name.slice(0, Math.max(0, name.lastIndexOf("/")));
  const beside = results.filter((one) => folderOf(one) === folder);
  const file = beside.find(({ name }) => date !== "" && name.includes(date)) ?? beside.at(-1);
  const folderName = folder.slice(folder.lastIndexOf("/") + 1);
  if (file === undefined) return folderName === "" ? null : folderName;
  const { model_name, config } = parsed(resultsSchema, file, "results of lm-eval");
  const named = /(?:pretrained|model)=([^,]+)/.exec(String(config?.model_args ?? ""))?.[1];
  return model_name || named || config?.model || folderName || null;
}

/** Numbers of a sample by metric; null is no answer. A list of sums (perplexity) is no score of a sample. */
function valuesOf(sample: Sample): ReadonlyMap<string, number | null> {
  const names = sample.metrics ?? Object.keys(sample).filter((name) => !about.has(name));
  const suffix = !sample.filter || sample.filter === "none" ? "" : `,${sample.filter}`;
  const found = new Map<string, number | null>();
  for (const name of names) {
    for (const [metric, value] of parts(`${name}${suffix}`, sample[name])) {
      if (typeof value === "boolean") found.set(metric, Number(value));
      else if (typeof value === "number") found.set(metric, Number.isFinite(value) ? value : null);
      else if (value === null) found.set(metric, null);
    }
  }
  return found;
}

/** lmms-eval puts what a metric aggregates into an object, the score among it. */
function parts(name: string, value: unknown): (readonly [string, unknown])[] {
  if (!isPlainObject(value)) return [[name, value]];
  return "score" in value
    ? [[name, value.score]]
    : Object.entries(value).map(([key, part]) => [`${name}/${key}`, part] as const);
}

const plain = (value: unknown): Readonly<Record<string, unknown>> =>
  isPlainObject(value) ? value : {};

export const lmEval: ForeignTool = {
  name: "lm-eval",
  summary: "samples of lm-eval or lmms-eval (--log_samples)",
  description:
    "Reads what lm-eval and lmms-eval write with --log_samples: a folder, or one file of samples. A row for " +
    "each sample and metric: id is task-doc_id, prompt the text that was sent, model what the results beside " +
    "name, else the folder's name; a metric of a filter is METRIC,FILTER, one of several numbers METRIC/KEY. " +
    "Of several evaluations of a task the newest is read. Results alone hold means only and are refused.",
  example: "touchstone import lm-eval output/ --out scores.csv",
  wants: (name) => /(^|\/|_)samples_[^/]*\.jsonl$/.test(name) || isResults({ name, value: null }),
  next: nextForScores,
  read(files) {
    const results = files.filter(isResults);
    const samples = files.filter((file) => !isResults(file)).map(sampleFile);
    if (samples.length === 0) {
      throw new InputError("Expected samples of lm-eval or lmms-eval but found results alone", {
        hint: "Results hold means only. Evaluate with --log_samples and import its folder.",
      });
    }
    const { files: read, older } = newest(samples);
    const rows = read.flatMap((one) => {
      const model = modelOf(one, results);
      const ofFile = parsed(z.array(sampleSchema), one.file, "samples of lm-eval").map(
        (sample) => [sample, valuesOf(sample)] as const,
      );
      return ofFile.flatMap(([sample, values]): ForeignRow[] =>
        [...values].map(([metric, score]) =>
          scoreRow(
            {
              id: `${one.task}-${sample.doc_id}`,
              prompt: firstText(sample.arguments ?? sample.input),
              model,
              metric,
              score,
              reason: score === null ? "unparsable" : null,
            },
            { task: one.task, ...plain(sample.doc), target: sample.target },
          ),
        ),
      );
    });
    const notes =
      older === 0
        ? []
        : [
            `${older} older ${older === 1 ? "file was" : "files were"} left out: the newest evaluation of each task counts`,
          ];
    return { rows, notes };
  },
};

export const lmmsEval: ForeignTool = {
  ...lmEval,
  name: "lmms-eval",
  example: "touchstone import lmms-eval logs/ --out scores.csv",
};
