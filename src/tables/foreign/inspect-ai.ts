import { z } from "zod";
import { isPlainObject } from "../../core/json.js";
import {
  type ForeignFile,
  type ForeignTool,
  nextForScores,
  parsed,
  refuse,
  scoreRow,
  text,
} from "./foreign-table.js";

const message = z.object({
  role: z.string(),
  content: z.union([
    z.string(),
    z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
  ]),
});

const sampleSchema = z.object({
  id: text,
  epoch: z.int().default(1),
  input: z.union([z.string(), z.array(message)]),
  metadata: z.record(z.string(), z.unknown()).nullish(),
  scores: z.record(z.string(), z.object({ value: z.unknown() })).nullish(),
  error: z.object({ message: z.string() }).nullish(),
});

const headerSchema = z.object({
  status: z.string().default("success"),
  eval: z.object({
    model: z.string(),
    task: z.string(),
    scorers: z.array(z.object({ name: z.string() })).nullish(),
  }),
  results: z.object({ scores: z.array(z.object({ name: z.string() })) }).nullish(),
});

type Sample = z.output<typeof sampleSchema>;

/** inspect_ai's words for a score. "N", no answer, counts 0 there; here it is unscored. */
const words: ReadonlyMap<unknown, number | null> = new Map<unknown, number | null>([
  ["C", 1],
  ["I", 0],
  ["P", 0.5],
  ["N", null],
  [true, 1],
  [false, 0],
  [null, null],
]);

/** A score's number, null for no answer, undefined where it is no number. */
function numberOf(value: unknown): number | null | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  return words.get(value);
}

/** One log: a JSON file is whole; of an .eval archive header and samples are files. */
function logOf(files: readonly ForeignFile[]) {
  const [only] = files;
  const whole = z.looseObject({ samples: z.array(z.unknown()) }).safeParse(only?.value);
  const header = files.length === 1 ? only : files.find(({ name }) => name.endsWith("header.json"));
  const samples = whole.success
    ? whole.data.samples.map((value, at) => ({ name: `${only?.name}, sample ${at + 1}`, value }))
    : files.filter(({ name }) => /(^|\/)samples\//.test(name));
  return {
    about: parsed(
      headerSchema,
      header ?? { name: "the log", value: undefined },
      "inspect_ai's log",
    ),
    samples: samples.map((file) => parsed(sampleSchema, file, "a sample of inspect_ai")),
  };
}

export const inspectAi: ForeignTool = {
  name: "inspect-ai",
  summary: "logs of inspect_ai (.eval or .json)",
  description:
    "Reads a log of inspect_ai, .eval or .json. A row for each sample, epoch and score: metric is " +
    "the scorer's name, with /KEY where it gives several values; C, P and I are 1, 0.5 and 0; " +
    "model is the log's model, prompt the input's text, and plain metadata become columns (a " +
    "painter's name there: --map model=painter). N, NaN and a sample that ended with an error " +
    "are unscored, not 0.",
  example: "touchstone import inspect-ai logs/t2i.eval --out scores.csv",
  wants: (name) => /(^|\/)(header\.json|samples\/[^/]+\.json)$/.test(name),
  isWhole: (name) => /\.(eval|json)$/.test(name),
  next: nextForScores,
  read(files) {
    const { about, samples } = logOf(files);
    const problems: string[] = [];
    const values = samples.map((sample) => [sample, valuesOf(sample, problems)] as const);
    refuse(problems, "scores that are numbers or C, I, P, N");
    const scored = new Set(values.flatMap(([, found]) => [...found.keys()]));
    const named = scored.size > 0 ? [...scored] : scorersOf(about);
    const rows = values.flatMap(([sample, found]) => {
      const failed = sample.error !== undefined && sample.error !== null;
      return (failed ? named : [...found.keys()]).map((metric) => {
        const score = failed ? null : (found.get(metric) ?? null);
        const reason =
          score !== null ? null : failed ? ("provider-error" as const) : ("unparsable" as const);
        const prompt = textOf(sample.input);
        const id = sample.epoch === 1 ? sample.id : `${sample.id}#${sample.epoch}`;
        return scoreRow(
          { id, prompt, model: about.eval.model, metric, score, reason },
          sample.metadata ?? {},
        );
      });
    });
    return {
      rows,
      notes:
        about.status === "success"
          ? []
          : [`The log's status is ${about.status}: samples may be missing`],
    };
  },
};

/** The scorers that a log's header names; where every sample ended with an error, nothing else does. */
function scorersOf({ eval: { scorers }, results }: z.output<typeof headerSchema>): string[] {
  const names = [...(scorers ?? []), ...(results?.scores ?? [])].map(({ name }) => name);
  return names.length === 0 ? ["score"] : [...new Set(names)];
}

/** Every number of a sample by metric. */
function valuesOf({ id, scores }: Sample, problems: string[]): ReadonlyMap<string, number | null> {
  const found = new Map<string, number | null>();
  for (const [name, { value }] of Object.entries(scores ?? {})) {
    const parts = isPlainObject(value)
      ? Object.entries(value).map(([key, part]) => [`${name}/${key}`, part] as const)
      : [[name, value] as const];
    for (const [metric, part] of parts) {
      const number = numberOf(part);
      if (number === undefined)
        problems.push(`sample ${id}, ${metric}: ${JSON.stringify(part)?.slice(0, 60)}`);
      else found.set(metric, number);
    }
  }
  return found;
}

/** The input's text; of messages the last one of the user. */
function textOf(input: Sample["input"]): string {
  if (typeof input === "string") return input;
  const content = input.findLast(({ role }) => role === "user")?.content ?? "";
  return typeof content === "string" ? content : content.map((part) => part.text ?? "").join("");
}
