import { InputError } from "../../core/errors.js";
import { taskTables } from "../../core/judging-tables.js";
import { type JudgingTask, judgingTasks } from "../../core/judging-task.js";
import { keyOf } from "../../core/keys.js";
import type { ReviewAnswer, ReviewCounts, ReviewItem } from "./review-api.js";

type Row = Readonly<Record<string, unknown>>;

/** An item with the files of its images, as the line names them. */
export interface ReviewRow extends ReviewItem {
  readonly files: readonly string[];
}

/** The scale of ratings where no line says it. */
const usualRatings = 5;

/**
 * A queue that `judge` wrote: a JSON line for each item, with an empty column for what people say. Lines
 * are kept as they are; only the one that is answered is written anew.
 */
export class ReviewTable {
  readonly task: JudgingTask;
  readonly rows: readonly ReviewRow[];
  readonly choices: readonly (string | number)[];
  /** The judge's file, as the queue names it: seen from the queue. */
  readonly judge: string | undefined;
  readonly #lines: readonly string[];
  readonly #byKey: ReadonlyMap<string, ReviewRow>;

  /** @throws InputError for what is no such queue, naming the line. */
  constructor(text: string, name: string) {
    this.#lines = text.split("\n");
    const parsed = this.#lines.flatMap((line, place) =>
      line.trim() === "" ? [] : [{ place, row: rowOf(line, `${name}, line ${place + 1}`) }],
    );
    const [first] = parsed;
    const task = judgingTasks.find(
      (one) => first !== undefined && taskTables[one].label in first.row,
    );
    if (task === undefined) {
      throw new InputError(
        `Expected a queue that judge wrote in ${name} but received something else`,
      );
    }
    this.task = task;
    this.rows = parsed.map(({ place, row }) => itemOf(row, { task, place }));
    this.#byKey = new Map(this.rows.map((row) => [row.key, row]));
    this.choices = choicesOf(
      task,
      parsed.map(({ row }) => row),
    );
    const judge = first?.row.judge;
    this.judge = typeof judge === "string" ? judge : undefined;
  }

  get counts(): ReviewCounts {
    const answered = this.rows.filter(({ answer }) => answer !== null).length;
    return { items: this.rows.length, answered };
  }

  row(key: string): ReviewRow | undefined {
    return this.#byKey.get(key);
  }

  /** The text of the file with an answer in the line of an item. */
  withAnswer({ place }: ReviewRow, answer: ReviewAnswer): string {
    const line = rowOf(this.#lines[place] ?? "", "");
    const changed = JSON.stringify({ ...line, [taskTables[this.task].label]: answer });
    return this.#lines.with(place, changed).join("\n");
  }
}

function rowOf(line: string, where: string): Row {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Row;
  } catch {
    // Said below.
  }
  throw new InputError(`Expected a JSON object (in ${where})`, {
    hint: "The file may have been edited by hand: put the line right, or take it out.",
  });
}

function itemOf(
  row: Row,
  { task, place }: { readonly task: JudgingTask; readonly place: number },
): ReviewRow {
  const { images, texts, label } = taskTables[task];
  const text = texts.map((name) => row[name]).find((cell) => typeof cell === "string") ?? "";
  const files = images.map((name) => String(row[name] ?? ""));
  const said = row[label];
  const answer =
    typeof said === "number" || (typeof said === "string" && said.trim() !== "") ? said : null;
  const key = keyOf({ id: String(row.id ?? ""), text: String(text), files });
  return { key, place, text: String(text), images: files.length, files, answer };
}

function choicesOf(task: JudgingTask, rows: readonly Row[]): readonly (string | number)[] {
  if (task === "pair") return ["a", "b", "tie"];
  if (task === "yes-no") return ["yes", "no"];
  const shares = rows.map(({ probabilities }) => probabilities).find(Array.isArray);
  return Array.from({ length: shares?.length ?? usualRatings }, (_, at) => at + 1);
}
