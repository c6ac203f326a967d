import { InputError } from "../../../core/errors.js";
import {
  drawnColumn,
  type JudgingTask,
  type TaskTable,
  taskTables,
} from "../../../core/judging-task.js";
import { readTable } from "../../../files/read-table.js";
import {
  type ColumnKind,
  classNamed,
  isNotAvailable,
  optionalOneOf,
  optionalText,
  score,
  text,
} from "../../../tables/columns.js";
import { isNumberItem, listColumn } from "../../../tables/list-column.js";
import {
  checkTask,
  type ItemSource,
  labelledTask,
  type OpenedTable,
  openedTable,
} from "./opened-table.js";

/** An image as a table names it. */
export interface ImageCell {
  readonly name: string;
  readonly path: string;
  /** The folders that it must lie in; anywhere where not given. */
  readonly folders?: readonly string[] | undefined;
}

/** A pair, a question or an image to rate, as a table names it. */
export interface ItemRow {
  readonly id: string;
  /** The caption, the question, or the text that the image is held against. */
  readonly text: string;
  /** a and b of a pair, else one: as it was written, and the file that is meant. */
  readonly images: readonly ImageCell[];
  /** Where it stands: "pairs.csv, line 3". */
  readonly place: string;
  /** Its embedding, or those of both images, as columns of the table hold them. */
  readonly embeddings?: readonly (readonly number[])[] | undefined;
}

export interface LabelledItem extends ItemRow {
  /** 1 (a, yes) or 0 (b, no), or a rating; null for a tie. */
  readonly label: number | null;
  /** Group of items like it: the text, or of questions the image. */
  readonly group: string;
  /** For a pair of an image and its degraded copy: how it was made worse. */
  readonly degradation?: string | undefined;
  /** Whether it came back from a review of what a judge was unsure of. */
  readonly isReviewed: boolean;
}

/**
 * Reads what is to be judged: id (not needed of questions and ratings), text and images, under the
 * names that `taskTables` has.
 *
 * @param judge whose task it must be of.
 * @throws InputError where the table is not sound, is of another task, or an item stands twice.
 */
export async function readItems(
  source: ItemSource,
  judge: { readonly task: JudgingTask; readonly whose: string },
): Promise<ItemRow[]> {
  const table = await openedTable(source, { isReviewed: false });
  await checkTask(table.source(), table.map, judge);
  return (await rowsOf(table, taskTables[judge.task], undefined)).map(({ item }) => item);
}

/** How many ratings there are. */
type Ratings = number | undefined;

/**
 * Opens a table of what people have decided: the same and preferred (a, b or tie), answer (yes or no)
 * or rating (a whole number).
 *
 * @param options.task default: what the columns say.
 * @param options.isReviewed whether they came back from review; rows that nobody has answered yet are
 *   then left out. Rows that were put there whatever a judge thinks of them (`drawnColumn`) count as
 *   labels, where none before the last answer was passed over.
 * @returns the task, and what reads the labels once the scale of ratings is known.
 */
export async function openLabels(
  source: ItemSource,
  { task, isReviewed }: { readonly task: JudgingTask | undefined; readonly isReviewed: boolean },
) {
  const table = await openedTable(source, { isReviewed });
  const { map } = table;
  if (task !== undefined) await checkTask(table.source(), map, { task, whose: "--task" });
  const found = task ?? (await labelledTask(table.source(), map));
  return {
    task: found,
    async read(ratings: Ratings): Promise<LabelledItem[]> {
      const columns = taskTables[found];
      const rows = await rowsOf(table, columns, labelKind(found, ratings), source.tell);
      const missing = rows.filter(({ label }) => label === undefined);
      if (!isReviewed && missing.length > 0) {
        throw new InputError(
          `Expected ${answersOf(found, ratings)} for ${columns.label} but ${missing.length} of ${rows.length} rows have nothing`,
          { problems: missing.slice(0, 20).map(({ item }) => item.place) },
        );
      }
      // Whoever passes over some of a queue may pass over what is hard.
      const answered = rows.length - missing.length;
      const isPrefix = rows.slice(0, answered).every(({ label }) => label !== undefined);
      return rows.flatMap(({ item, label, degradation, isDrawn }) => {
        if (label === undefined) return [];
        const group = columns.groupedBy === "text" ? item.text : (item.images[0]?.path ?? "");
        return [
          {
            ...item,
            label,
            group,
            isReviewed: isReviewed && !(isDrawn && isPrefix),
            ...(degradation && { degradation }),
          },
        ];
      });
    },
  };
}

const answersOf = (task: JudgingTask, ratings: Ratings): string =>
  ({ pair: "a, b or tie", "yes-no": "yes or no", rating: `1 to ${ratings}` })[task];

/** Reads people's answer as a label; undefined for none. */
function labelKind(task: JudgingTask, ratings: Ratings = 9): ColumnKind<number | null | undefined> {
  if (task === "rating") return ratingKind(ratings);
  const labels: Readonly<Record<string, number | null>> =
    task === "pair" ? { a: 1, b: 0, tie: null } : { yes: 1, no: 0 };
  const word = optionalOneOf(Object.keys(labels));
  // By hand people type "Yes" and "A", programs 1, 0 and true.
  const wordOf = (cell: unknown): string => {
    const said = String(cell ?? "")
      .trim()
      .toLowerCase();
    if (task !== "yes-no") return said;
    // A probability of yes, as analyze raters estimates it, counts as the likelier answer.
    const sure = said === "" ? Number.NaN : Number(said);
    if (sure > 0 && sure < 1) return sure === 0.5 ? "" : sure > 0.5 ? "yes" : "no";
    const named = classNamed(cell) ?? (said === "1" ? 1 : said === "0" ? 0 : undefined);
    return named === undefined ? said : named === 1 ? "yes" : "no";
  };
  return {
    isRequired: true,
    read(cell, about) {
      if (isNotAvailable(cell)) return { value: undefined };
      const read = word.read(typeof cell === "object" ? cell : wordOf(cell), about);
      if ("expected" in read) return read;
      return { value: read.value === undefined ? undefined : labels[read.value] };
    },
  };
}

/** A cell of what people said in the words of a task: a, b, tie, yes, no or a rating; undefined for none. */
export function saidIn(cell: unknown, task: JudgingTask): string | number | undefined {
  const read = labelKind(task).read(cell, { isText: typeof cell === "string" });
  if (!("value" in read) || read.value === undefined) return undefined;
  return read.value === null ? "tie" : wordOf(task, read.value);
}

/** A label in the words of a task. */
export const wordOf = (task: JudgingTask, label: number): string | number =>
  ({ pair: label === 1 ? "a" : "b", "yes-no": label === 1 ? "yes" : "no", rating: label })[task];

const ratingKind = (ratings: number): ColumnKind<number | undefined> => ({
  isRequired: true,
  read(cell, about) {
    const read = score.read(cell, about);
    if ("value" in read && read.value === null) return { value: undefined };
    const value = "value" in read ? read.value : null;
    return value !== null && Number.isInteger(value) && value >= 1 && value <= ratings
      ? { value }
      : { expected: `a whole number from 1 to ${ratings} (another scale: --pool)` };
  },
});

async function rowsOf(
  { source: open, map: named, pathOf, folders }: OpenedTable,
  { images, texts, label, item: called }: TaskTable,
  labels: ColumnKind<number | null | undefined> | undefined,
  tell?: ItemSource["tell"],
) {
  const source = open();
  const [own] = texts;
  const mapped = named[own];
  const names = mapped === undefined ? texts : [mapped];
  const rows: {
    readonly item: ItemRow;
    readonly label: number | null | undefined;
    readonly degradation: string | undefined;
    readonly isDrawn: boolean;
  }[] = [];
  const withoutText: string[] = [];
  const imageColumns = Object.fromEntries(images.map((name) => [name, text]));
  const isPair = images.length > 1;
  for await (const { line, row, all } of readTable({
    source,
    columns: {
      id: isPair ? text : optionalText,
      ...imageColumns,
      // A column of what people said is no matter where nobody asks for it.
      [label]: labels ?? ignored,
      degradation: labels === undefined ? ignored : optionalText,
      [drawnColumn]: isTrue,
      embedding: embeddingColumn,
      embedding_a: embeddingColumn,
      embedding_b: embeddingColumn,
    },
    map: Object.fromEntries(Object.entries(named).filter(([name]) => name !== own)),
    unique: isPair ? ["id"] : [],
    tell,
  })) {
    const place = `${source.name}, line ${line}`;
    const said = textIn(all, names);
    if (said === undefined) withoutText.push(place);
    // Each name stands in the columns that were asked for, and is of their kinds.
    const cells = row as Readonly<
      Record<string, string | number | boolean | readonly number[] | null | undefined>
    >;
    const paths = images.map((column) => {
      const name = String(cells[column]);
      return { name, path: pathOf(name), folders };
    });
    const id = cells.id ?? `${paths[0]?.name} ${said}`;
    const value = labels === undefined ? undefined : (cells[label] as number | null | undefined);
    rows.push({
      item: { id: String(id), text: said ?? "", images: paths, place, ...embeddingsIn(row) },
      label: value,
      degradation: row.degradation,
      isDrawn: row[drawnColumn],
    });
  }
  if (withoutText.length > 0) {
    throw new InputError(
      `Expected a text for ${names.join(" or ")} but ${withoutText.length} of ${rows.length} rows have none`,
      { problems: withoutText.slice(0, 20), hint: `Another column: --map ${own}=my_column` },
    );
  }
  checkOnce(
    rows.map(({ item }) => item),
    `Expected each ${called} once but some stand there twice`,
  );
  return rows;
}

type EmbeddingCell = readonly number[] | null;

const numbers = listColumn({ isItem: isNumberItem, expected: "a list of numbers" });

/** Whatever else stands there is no embedding, which is no matter where nobody asks for one. */
const embeddingColumn: ColumnKind<EmbeddingCell> = {
  isRequired: false,
  read(cell, about) {
    const read = numbers.read(cell, about);
    return "value" in read ? read : { value: null };
  },
};

function embeddingsIn({
  embedding,
  embedding_a: a,
  embedding_b: b,
}: Readonly<Record<"embedding" | "embedding_a" | "embedding_b", EmbeddingCell>>) {
  if (embedding !== null) return { embeddings: [embedding] };
  return a === null || b === null ? {} : { embeddings: [a, b] };
}

const isTrue: ColumnKind<boolean> = {
  isRequired: false,
  read: (cell) => ({ value: String(cell) === "true" }),
};

const ignored: ColumnKind<undefined> = { isRequired: false, read: () => ({ value: undefined }) };

/** @throws InputError where an id is there twice. */
export function checkOnce(items: readonly ItemRow[], message: string): void {
  const seen = new Map<string, ItemRow>();
  const problems: string[] = [];
  for (const item of items) {
    const other = seen.get(item.id);
    if (other === undefined) seen.set(item.id, item);
    else {
      const [file = ""] = item.place.split(/(?<=, )line \d+$/);
      const before = other.place.startsWith(file) ? other.place.slice(file.length) : other.place;
      problems.push(`${item.id.slice(0, 60)} stands in ${before} already (in ${item.place})`);
    }
  }
  if (problems.length > 0) throw new InputError(message, { problems: problems.slice(0, 20) });
}

function textIn(
  all: Readonly<Record<string, unknown>>,
  names: readonly string[],
): string | undefined {
  for (const name of names) {
    const value = all[name];
    if (typeof value === "string" && value.trim() !== "") return value.trim();
  }
  return undefined;
}
