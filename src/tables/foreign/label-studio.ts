import { z } from "zod";
import { InputError } from "../../core/errors.js";
import { listText } from "../../core/list-text.js";
import { type ForeignRow, type ForeignTool, parsed, refuse, text } from "./foreign-table.js";

const person = z.union([
  text,
  z.looseObject({ id: text.optional(), email: z.string().optional() }),
]);

const resultSchema = z.object({
  from_name: z.string(),
  type: z.string(),
  value: z.record(z.string(), z.unknown()),
});

const annotationSchema = z.object({
  id: text,
  completed_by: person.nullish(),
  was_cancelled: z.boolean().nullish(),
  result: z.array(z.unknown()),
});

const taskSchema = z.object({
  id: text,
  data: z.record(z.string(), z.unknown()),
  annotations: z.array(annotationSchema),
});

/** What somebody answered to one question about one task; null where the task was skipped. */
interface LabelStudioAnswer {
  readonly task: string;
  readonly annotation: string;
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
function labelStudioAnswers(value: unknown, name: string) {
  const tasks = parsed(z.array(taskSchema), { name, value }, "an export of Label Studio (JSON)");
  const problems: { readonly question: string; readonly problem: string }[] = [];
  const answers: LabelStudioAnswer[] = [];
  const asked = new Set<string>();
  for (const task of tasks) {
    for (const annotation of task.annotations) {
      const about = {
        task: task.id,
        annotation: annotation.id,
        annotator: nameOf(annotation),
        data: task.data,
      };
      const place = `task ${task.id}, annotation ${annotation.id}`;
      if (annotation.was_cancelled === true) {
        answers.push({ ...about, question: "", value: null });
        continue;
      }
      for (const result of annotation.result) {
        const { data, success } = resultSchema.safeParse(result);
        if (!success) {
          problems.push({
            question: "",
            problem: `${place}: a result without from_name, type and value`,
          });
          continue;
        }
        asked.add(data.from_name);
        const found = answerOf(data);
        if (found === undefined) {
          const problem = `${place}, ${data.from_name}: ${data.type} ${JSON.stringify(data.value).slice(0, 60)}`;
          problems.push({ question: data.from_name, problem });
        } else answers.push({ ...about, question: data.from_name, value: found });
      }
    }
  }
  return { answers, problems, questions: [...asked] };
}

function nameOf({ id, completed_by: by }: z.output<typeof annotationSchema>): string {
  if (typeof by === "string") return by;
  return by?.email ?? by?.id ?? `annotation ${id}`;
}

const sides: Readonly<Record<string, string>> = { left: "a", right: "b" };

function answerOf({ type, value }: z.output<typeof resultSchema>): string | number | undefined {
  const given = type === "pairwise" ? value.selected : value[type === "textarea" ? "text" : type];
  if (type === "pairwise") return typeof given === "string" ? sides[given] : undefined;
  if (type === "rating" || type === "number") return typeof given === "number" ? given : undefined;
  if (type !== "choices" && type !== "textarea") return undefined;
  const [only, ...more] = Array.isArray(given) ? given : [given];
  return more.length === 0 && typeof only === "string" ? only : undefined;
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
    const all = files.map(({ name, value }) => labelStudioAnswers(value, name));
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
