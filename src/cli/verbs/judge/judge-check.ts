import { extname, resolve } from "node:path";
import type { RatingRow, VoteRow } from "../../../analysis/judge-check/row-ratios.js";
import judgeCheck from "../../../conclusions/judge-check/judge-check.js";
import type { Inputs } from "../../../conclusions/table-options.js";
import { largestOf } from "../../../core/arrays.js";
import { InputError } from "../../../core/errors.js";
import type { RecordOf } from "../../../core/records.js";
import type { Records } from "../../../core/step.js";
import { openDocuments, openStore, runPlace } from "../../../files/open-store.js";
import { readTextFile } from "../../../files/regular-file.js";
import { tableOf } from "../../../tables/bytes.js";
import { conclusionCommand } from "../../conclusions/conclusion-command.js";
import type { Environment } from "../../environment.js";
import { answersName } from "../calibrate/answers-of-run.js";
import { isRun } from "../score/score-run.js";

/** Reads runs and saved judges beside tables. */
export default conclusionCommand(judgeCheck, {
  inputs: (files, environment): Inputs => ({
    ...files,
    async table(file, isFormatKnown) {
      const run = await answersBehind(file, environment);
      return run === undefined
        ? files.table(file, isFormatKnown)
        : tableOf(`${file}.jsonl`, await answersOf(run, environment));
    },
  }),
});

/** The run that holds the answers of a saved judge, or a run itself; undefined of a table. */
async function answersBehind(file: string, environment: Environment): Promise<string | undefined> {
  if (file === "-") return undefined;
  if (await isRun(file, environment)) return file;
  if (extname(file).toLowerCase() !== ".json") return undefined;
  const text = await readTextFile(resolve(environment.workingDirectory, file)).catch(() => "");
  if (!/"kind":\s*"touchstone-judge"/.test(text.slice(0, 1000))) return undefined;
  const run = `${file.slice(0, -".json".length)}-answers`;
  if (await isRun(run, environment)) return run;
  throw new InputError(`Expected the answers of ${file} in ${run} but found no run there`, {
    hint: "calibrate keeps them beside the judge. Where they lie elsewhere: touchstone judge check RUN",
  });
}

async function answersOf(run: string, environment: Environment): Promise<string> {
  const place = runPlace(run, environment);
  const labels = labelsIn(await openDocuments(place).read(answersName));
  const lines: string[] = [];
  for await (const row of judgedRows(await openStore(place), labels))
    lines.push(JSON.stringify(row));
  if (lines.length > 0) return lines.join("\n");
  throw new InputError(`Expected a run with a judge's answers but ${run} has none`, {
    hint: "Such as the one that judge or calibrate keeps beside its results.",
  });
}

/** What people say of items, as calibrate keeps it beside the answers. */
function labelsIn(answers = ""): Map<string, number> {
  const rows = answers.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  return new Map(
    rows.flatMap(({ id, label }: { id: string; label: number | null }) =>
      label === null || label === undefined ? [] : [[id, label]],
    ),
  );
}

/** An answer as `judge check` reads it from a table. */
type JudgedRow = (VoteRow | RatingRow) & { readonly reason?: string | undefined };

/**
 * A row for each answer that a run holds: votes on pairs, or ratings; yes is 1 and no is 0.
 *
 * @param labels what people say, by item: 1 and 0 are a and b of a pair, yes and no of a question.
 */
async function* judgedRows(
  records: Records,
  labels: ReadonlyMap<string, number>,
): AsyncGenerator<JudgedRow> {
  for await (const judgment of records.ofType("judgment")) yield voteOf(judgment, labels);
  for await (const judgment of records.ofType("image-judgment")) yield ratingOf(judgment, labels);
}

function voteOf(judgment: RecordOf<"judgment">, labels: ReadonlyMap<string, number>): VoteRow {
  const { pair, caption, firstShown: first } = judgment;
  const label = labels.get(pair);
  const human = label === undefined ? undefined : label === 1 ? "a" : "b";
  const row = { id: pair, prompt: caption, first, human } as const;
  if (judgment.status === "unscored") return { ...row, vote: null, ...reasonOf(judgment.reason) };
  const { a, b, tie } = judgment.probabilities;
  // Equal probabilities are no preference.
  return { ...row, vote: a > b && a > tie ? "a" : b > a && b > tie ? "b" : "tie" };
}

function ratingOf(
  judgment: RecordOf<"image-judgment">,
  labels: ReadonlyMap<string, number>,
): RatingRow {
  const { item: id, text, task } = judgment;
  const row = { id, prompt: task === "rating" ? text : undefined, human: labels.get(id) };
  if (judgment.status === "unscored") return { ...row, rating: null, ...reasonOf(judgment.reason) };
  const { probabilities, answers } = judgment;
  const likeliest = probabilities.indexOf(largestOf(probabilities));
  const rating = task === "yes-no" ? Number(answers[likeliest] === "yes") : likeliest + 1;
  return { ...row, rating };
}

const reasonOf = (reason: string) => ({ reason, refused: reason === "refused" });
