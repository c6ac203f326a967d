import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { InputError } from "../../core/errors.js";
import { isPlainObject } from "../../core/json.js";
import { type JudgingTask, judgingTasks, taskTables } from "../../core/judging-task.js";
import { keyOf } from "../../core/keys.js";
import { writeFileAtomically } from "../../files/atomic.js";
import { failed } from "../../files/file-error.js";
import { FileTurns } from "../../files/file-turns.js";
import { readTextFile } from "../../files/regular-file.js";
import { Refusal } from "../refusal.js";
import type { Opinion, ReviewAnswer, ReviewCounts, ReviewItem } from "./review-api.js";

/** A person's answer to an item, and the answer that their page showed before. */
export interface GivenAnswer {
  readonly item: string;
  readonly answer: ReviewAnswer;
  readonly was: ReviewAnswer;
  /** Who answered, and what they noted. */
  readonly by?: string | undefined;
  readonly comment?: string | undefined;
  /** Whether it is asked for beside another reviewer's answer, which then stays. */
  readonly isSecond?: boolean | undefined;
}

/**
 * A review queue on the disk. Each answer locks the file, reads it anew, changes one line and is on the
 * disk before it is acknowledged. So two windows, two servers and an editor that saves between answers
 * lose nothing.
 */
export class ReviewFile {
  readonly path: string;
  readonly #name: string;
  readonly #turns: FileTurns;
  readonly #now: () => Date;
  #last: { readonly mark: string; readonly table: ReviewTable } | undefined;

  /**
   * @param name what errors call it
   * @param now when an answer is given
   */
  constructor(path: string, name: string, now = () => new Date()) {
    this.#now = now;
    this.path = path;
    this.#name = name;
    this.#turns = new FileTurns(join(dirname(path), ".studio", "turns"));
  }

  /** The queue as it stands. @throws InputError where it is none, or can't be read. */
  async read(): Promise<ReviewTable> {
    const mark = await this.#mark();
    if (this.#last?.mark === mark) return this.#last.table;
    const text = await readTextFile(this.path).catch(failed("read", this.#name));
    const table = new ReviewTable(text, this.#name);
    // Where it was replaced meanwhile, the mark is of the file before, and it is read again.
    this.#last = { mark, table };
    return table;
  }

  /**
   * Writes an answer into the file; the same answer again changes nothing.
   * @throws Refusal 409 where the line changed since the page was shown.
   */
  answer({
    item,
    answer,
    was,
    by,
    comment,
    isSecond = false,
  }: GivenAnswer): Promise<{ table: ReviewRows; row: ReviewRow }> {
    const asker = isSecond ? (by ?? "") : undefined;
    return this.#turns.inTurn(async () => {
      const whole = await this.read();
      const table = whole.askedOf(asker);
      const row = table.row(item);
      if (row === undefined) {
        throw new Refusal(404, "no-item", "The queue has no such item any more", {
          hint: isSecond
            ? "A second opinion needs your name, and an answer by somebody with another one."
            : "It may have been judged anew. Open the page again.",
        });
      }
      if (answer !== null && !whole.choices.includes(answer)) {
        throw new Refusal(
          400,
          "answer",
          `Expected one of ${whole.choices.join(", ")} as the answer`,
        );
      }
      if (row.answer === answer) return { table, row };
      if (row.answer !== was) {
        throw new Refusal(
          409,
          "answered",
          `Somebody else has answered ${row.answer ?? "nothing"}`,
          {
            hint: "That answer stands. To change it, give yours again.",
          },
        );
      }
      if (answer === null && !isSecond && row.opinions.length > 1) {
        throw new Refusal(409, "answered", "Another reviewer has given a second opinion since", {
          hint: "Your answer stands beside theirs. To change it, give another one.",
        });
      }
      const about = { by, comment, at: this.#now().toISOString(), isSecond };
      await writeFileAtomically(this.path, whole.withAnswer(row, answer, about));
      const changed = (await this.read()).askedOf(asker);
      return { table: changed, row: changed.row(item) ?? { ...row, answer } };
    });
  }

  /** Releases the lock that this process holds. */
  close(): Promise<void> {
    return this.#turns.close();
  }

  async #mark(): Promise<string> {
    const facts = await stat(this.path, { bigint: true }).catch(failed("read", this.#name));
    return `${facts.ino} ${facts.size} ${facts.mtimeNs}`;
  }
}

type Row = Readonly<Record<string, unknown>>;

/** An item with the files of its images, as the line names them. */
export interface ReviewRow extends ReviewItem {
  readonly files: readonly string[];
  /** The first reviewer's, then the second's. */
  readonly opinions: readonly Opinion[];
}

/** Items as they are asked of somebody. */
export interface ReviewRows {
  readonly rows: readonly ReviewRow[];
  readonly counts: ReviewCounts;
  row(key: string): ReviewRow | undefined;
}

/** The scale of ratings where no line says it. */
const usualRatings = 5;

/**
 * A queue that `judge` wrote: a JSON line for each item, with an empty column for what people say. Lines
 * are kept as they are; only the one that is answered is written anew.
 */
export class ReviewTable implements ReviewRows {
  readonly task: JudgingTask;
  readonly rows: readonly ReviewRow[];
  readonly choices: readonly (string | number)[];
  /** The judge's file, as the queue names it: seen from the queue. */
  readonly judge: string | undefined;
  readonly #lines: readonly string[];
  readonly #byKey: ReadonlyMap<string, ReviewRow>;

  /** @throws InputError for a file that is no such queue, naming the line. */
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
    return countsOf(this.rows);
  }

  /** Items that a reviewer may give a second opinion on, by another one's answer, which isn't told; all without one. */
  askedOf(second: string | undefined): ReviewRows {
    if (second === undefined) return this;
    const rows = this.rows.flatMap((row) => {
      const [first, other] = row.opinions;
      const isAsked = second !== "" && first?.by !== undefined && first.by !== second;
      return isAsked ? [{ ...row, answer: other?.answer ?? null }] : [];
    });
    return { rows, counts: countsOf(rows), row: (key) => rows.find((row) => row.key === key) };
  }

  row(key: string): ReviewRow | undefined {
    return this.#byKey.get(key);
  }

  /** The text of the file with an answer in the line of an item, and who gave it when; without either for null. */
  withAnswer(
    { place }: ReviewRow,
    answer: ReviewAnswer,
    {
      by,
      at,
      comment,
      isSecond,
    }: Pick<GivenAnswer, "by" | "comment"> & { readonly at: string; readonly isSecond: boolean },
  ): string {
    const line: Record<string, unknown> = { ...rowOf(this.#lines[place] ?? "", "") };
    const label = taskTables[this.task].label;
    const names = isSecond ? secondColumns : { ...firstColumns, answer: label };
    for (const name of Object.values(names)) if (name !== label) delete line[name];
    if (!isSecond || answer !== null) line[names.answer] = answer;
    if (answer !== null)
      Object.assign(line, { [names.by]: by, [names.at]: at, [names.comment]: comment });
    return this.#lines.with(place, JSON.stringify(line)).join("\n");
  }
}

/** Columns of what is said beside an answer, and of a second opinion with its answer. */
const firstColumns = { by: "reviewer", at: "reviewedAt", comment: "reviewComment" };
const secondColumns = {
  answer: "secondAnswer",
  by: "secondReviewer",
  at: "secondReviewedAt",
  comment: "secondComment",
};

const countsOf = (rows: readonly ReviewRow[]): ReviewCounts => ({
  items: rows.length,
  answered: rows.filter(({ answer }) => answer !== null).length,
});

const answerIn = (cell: unknown): ReviewAnswer =>
  typeof cell === "number" || (typeof cell === "string" && cell.trim() !== "") ? cell : null;

const textIn = (cell: unknown) => (typeof cell === "string" && cell !== "" ? cell : undefined);

function rowOf(line: string, where: string): Row {
  try {
    const value: unknown = JSON.parse(line);
    if (isPlainObject(value)) return value as Row;
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
  const opinions = [{ ...firstColumns, answer: label }, secondColumns].flatMap((names) => {
    const said = answerIn(row[names.answer]);
    const [by, at, comment] = [names.by, names.at, names.comment].map((name) => textIn(row[name]));
    return said === null ? [] : [{ answer: said, by, at, comment }];
  });
  const answer = answerIn(row[label]);
  const key = keyOf({ id: String(row.id ?? ""), text: String(text), files });
  return { key, place, text: String(text), images: files.length, files, answer, opinions };
}

function choicesOf(task: JudgingTask, rows: readonly Row[]): readonly (string | number)[] {
  if (task === "pair") return ["a", "b", "tie"];
  if (task === "yes-no") return ["yes", "no"];
  const shares = rows.map(({ probabilities }) => probabilities).find(Array.isArray);
  return Array.from({ length: shares?.length ?? usualRatings }, (_, at) => at + 1);
}
