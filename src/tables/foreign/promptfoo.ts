import { z } from "zod";
import {
  type ForeignFile,
  type ForeignTool,
  nextForScores,
  parsed,
  scoreRow,
} from "./foreign-table.js";

const resultSchema = z.object({
  provider: z.union([z.string(), z.object({ id: z.string(), label: z.string().nullish() })]),
  prompt: z.object({ raw: z.string() }),
  vars: z.record(z.string(), z.unknown()).default({}),
  testCase: z.object({ metadata: z.record(z.string(), z.unknown()).nullish() }).nullish(),
  score: z.number(),
  namedScores: z.record(z.string(), z.number()).default({}),
  error: z.unknown().optional(),
  /** 0 none, 1 an assertion, 2 an error. */
  failureReason: z.number().nullish(),
  gradingResult: z.unknown().optional(),
  testIdx: z.number().optional(),
  /** Of a prompt as it was written; promptIdx counts it anew for each provider. */
  promptId: z.string().optional(),
  promptIdx: z.number().optional(),
});

/** Files of `promptfoo eval -o results.json`, whose version is 2 or 3. */
const schema = z.object({
  results: z.object({ version: z.literal([2, 3]), results: z.array(resultSchema) }),
});

/** The results of a file; those of results.jsonl stand by themselves. */
function resultsOf(file: ForeignFile): z.output<typeof resultSchema>[] {
  return Array.isArray(file.value)
    ? parsed(z.array(resultSchema), file, "promptfoo's results")
    : parsed(schema, file, "promptfoo's results").results.results;
}

const modelOf = ({ provider }: z.output<typeof resultSchema>): string =>
  typeof provider === "string" ? provider : provider.label || provider.id;

/**
 * Names items by test and prompt, so that models meet in them. Version 2 numbers neither, and lists results as
 * they came: there what was asked is numbered, in the order in which it first comes.
 */
function itemIds(): (result: z.output<typeof resultSchema>) => string {
  const prompts = new Map<string, number>();
  const items = new Map<string, number>();
  const times = new Map<string, number>();
  return (result) => {
    const { testIdx, promptId, promptIdx = 0, prompt, vars } = result;
    if (testIdx !== undefined) {
      const written = promptId ?? String(promptIdx);
      const number = prompts.get(written) ?? prompts.size;
      prompts.set(written, number);
      return `${testIdx}-${number}`;
    }
    const asked = JSON.stringify([prompt.raw, vars]);
    const item = items.get(asked) ?? items.size;
    items.set(asked, item);
    const answer = JSON.stringify([item, modelOf(result)]);
    const time = (times.get(answer) ?? 0) + 1;
    times.set(answer, time);
    return time === 1 ? String(item) : `${item}#${time}`;
  };
}

/** promptfoo counts an error of a provider as score 0; here it is unscored. */
const isError = ({ failureReason, error, gradingResult }: z.output<typeof resultSchema>) =>
  failureReason === undefined || failureReason === null
    ? Boolean(error) && (gradingResult === null || gradingResult === undefined)
    : failureReason === 2;

export const promptfoo: ForeignTool = {
  name: "promptfoo",
  summary: "results of promptfoo eval -o results.json or .jsonl",
  description:
    "Reads the file of `promptfoo eval -o results.json` or .jsonl. A row for each result and each named " +
    "metric of its assertions, or, where none is named, metric score with the overall score; " +
    "model is the provider's label, prompt the text that was sent, and vars and a test's metadata become " +
    "columns. A result that ended with an error is unscored, not 0.",
  example: "touchstone import promptfoo results.json --out scores.csv",
  wants: (name) => name.endsWith(".json"),
  next: nextForScores,
  read(files) {
    const all = files.flatMap(resultsOf);
    const named = [...new Set(all.flatMap(({ namedScores }) => Object.keys(namedScores)))];
    const idOf = itemIds();
    const rows = all.flatMap((result) => {
      const { prompt, namedScores, vars, testCase } = result;
      const id = idOf(result);
      const failed = isError(result);
      const metrics = named.length === 0 ? ["score"] : failed ? named : Object.keys(namedScores);
      const known: Readonly<Record<string, number>> = { score: result.score, ...namedScores };
      return metrics.map((metric) =>
        scoreRow(
          {
            id,
            prompt: prompt.raw,
            model: modelOf(result),
            metric,
            score: failed ? null : (known[metric] ?? null),
            reason: failed ? "provider-error" : null,
          },
          { ...testCase?.metadata, ...vars },
        ),
      );
    });
    const errors = all.filter(isError).length;
    return {
      rows,
      notes:
        errors === 0
          ? []
          : [
              `promptfoo scores results that ended with an error 0 (${errors} here); they are unscored`,
            ],
    };
  },
};
