import { InputError } from "../../core/errors.js";
import { listText } from "../../core/phrases.js";
import { type ForeignFile, type ForeignRow, type ForeignTool, refuse } from "./foreign-table.js";
import {
  annotatorOf,
  type LabelStudioResult,
  labelStudioTasks,
  resultsOf,
} from "./label-studio-export.js";

/** One person's answer to one question about one task; null where the task was skipped. */
interface LabelStudioAnswer {
  readonly task: string;
  readonly annotator: string;
  readonly question: string;
  readonly value: string | number | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * The answers of an export of Label Studio (JSON): choices (one of them), ratings, numbers, texts and
 * pairs (`left` is a, `right` is b).
 *
 * @returns the answers, and what was not understood: regions, several choices, texts in several lines.
 * @throws InputError where the file is no such export.
 */
function labelStudioAnswers(file: ForeignFile) {
  const problems: { readonly question: string; readonly problem: string }[] = [];
  const answers: LabelStudioAnswer[] = [];
  const asked = new Set<string>();
  for (const task of labelStudioTasks(file)) {
    for (const annotation of task.annotations) {
      const about = { task: task.id, annotator: annotatorOf(annotation), data: task.data };
      const place = `task ${task.id}, annotation ${annotation.id}`;
      if (annotation.was_cancelled === true) {
        answers.push({ ...about, question: "", value: null });
        continue;
      }
      for (const result of resultsOf(annotation)) {
        if (result === undefined) {
          const problem = `${place}: a result without from_name, type and value`;
          problems.push({ question: "", problem });
          continue;
        }
        const { question, words } = result;
        asked.add(question);
        const value = single(result);
        if (value === undefined) {
          problems.push({ question, problem: `${place}, ${question}: ${words}` });
        } else answers.push({ ...about, question, value });
      }
    }
  }
  return { answers, problems, questions: [...asked] };
}

const sides: Readonly<Record<string, string>> = { left: "a", right: "b" };

function single({ type, value }: LabelStudioResult): string | number | undefined {
  if (typeof value === "object") return undefined;
  return type === "pairwise" ? sides[String(value)] : value;
}

export const labelStudio: ForeignTool = {
  name: "label-studio",
  summary: "annotations of Label Studio (its JSON export)",
  description:
    "Reads Label Studio's JSON export. A row for each annotation's answer: item is the task's id, " +
    "annotator its author, value the choice, rating, number, text or side of a pair (left is a, " +
    "right is b), and the task's plain data become columns. A skipped task has no value. Where " +
    "the project asks several questions, --question names one. Regions and several choices at " +
    "once are refused.",
  example: "touchstone import label-studio export.json --out ratings.csv --question quality",
  hasQuestions: true,
  wants: (name) => name.endsWith(".json"),
  next(rows) {
    const isNumeric = rows.every(({ value }) => value === null || typeof value === "number");
    return ["analyze", "agreement", "FILE", "--scale", isNumeric ? "ordinal" : "nominal"];
  },
  read(files, { question }) {
    const all = files.map(labelStudioAnswers);
    const questions = [...new Set(all.flatMap((one) => one.questions))];
    const [first] = questions;
    if (question === undefined ? questions.length > 1 : !questions.includes(question)) {
      const [named, hint] =
        question === undefined
          ? ["one question", `Name one: --question ${first}`]
          : [`the question ${question}`, undefined];
      throw new InputError(
        `Expected ${named} but the annotations have ${listText(questions)}`,
        hint === undefined ? {} : { hint },
      );
    }
    const chosen = question ?? first;
    const isChosen = (one: { readonly question: string }) =>
      one.question === chosen || one.question === "";
    refuse(
      all.flatMap(({ problems }) => problems.filter(isChosen).map(({ problem }) => problem)),
      "choices, ratings, numbers, texts and pairs",
    );
    const answers = all.flatMap((one) => one.answers.filter(isChosen));
    return { rows: answers.map(agreementRow), notes: [] };
  },
};

const own = ["item", "annotator", "value"];

function agreementRow({ task, annotator, value, data }: LabelStudioAnswer): ForeignRow {
  const plain = Object.entries(data).flatMap(([name, cell]) =>
    typeof cell === "string" || typeof cell === "number"
      ? [[own.includes(name) ? `input_${name}` : name, cell] as const]
      : [],
  );
  return { item: task, annotator, value, ...Object.fromEntries(plain) };
}
