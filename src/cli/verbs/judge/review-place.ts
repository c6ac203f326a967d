import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import { taskTables } from "../../../core/judging-tables.js";
import type { JudgingTask } from "../../../core/judging-task.js";
import { readTable } from "../../../files/read-table.js";
import { checkOut } from "../../command-line/out-path.js";
import type { ItemRow } from "../calibrate/judged-table.js";
import { type ItemSource, openedTable } from "../calibrate/opened-table.js";

/** The files that a judge was made of, as `calibrate` was given them. */
export interface OwnFiles {
  readonly labels: string;
  /** Answers from review: each --add. */
  readonly added: readonly string[];
  readonly map: readonly string[];
  readonly images: string | undefined;
}

/** Finds a saved judge's sources. @param command the words after `calibrate` that made it. */
export function filesOf(command: readonly string[]): OwnFiles {
  const given = (flag: string) => command.filter((_, at) => command[at - 1] === flag);
  return {
    labels: command[0] ?? "",
    added: given("--add"),
    map: given("--map"),
    images: given("--images")[0],
  };
}

/** Where the review queue goes, and what people have said before. */
export interface ReviewPlace {
  readonly file: string;
  /** The file in which people answered an item, if they did. */
  answeredIn(item: ItemRow): string | undefined;
}

/**
 * A file for the review queue that holds no answers of people: `review.jsonl`, or `review-2.jsonl` and
 * so on where the ones before hold some. What people said in the judge's own files and in those that
 * were passed over is read, so that nobody is asked again.
 *
 * @param given what --review says, if anything.
 * @throws InputError where that is a file that the judge was made of, or holds answers.
 */
export async function reviewPlace(
  given: string | undefined,
  {
    own,
    task,
    environment,
  }: {
    readonly own: OwnFiles;
    readonly task: JudgingTask;
    readonly environment: ItemSource["environment"];
  },
): Promise<ReviewPlace> {
  const { workingDirectory } = environment;
  const { map, images } = own;
  const answered = new Map<string, string>();
  const path = (file: string) => resolve(workingDirectory, file);
  const inputs = [own.labels, ...own.added];
  const inputPaths = new Set(inputs.map(path));
  const readInto = async (file: string) => {
    const { isAnswered, items } = await answersIn({ file, map, images, environment }, task);
    for (const item of items) if (!answered.has(item)) answered.set(item, file);
    return isAnswered;
  };
  for (const file of own.added) await readInto(file);
  const answeredIn = (item: ItemRow) =>
    answered.get(keyOf({ ...item, images: item.images.map((image) => image.path) }));

  const isFree = async (file: string) => !inputPaths.has(path(file)) && !(await readInto(file));

  if (given !== undefined) {
    await checkOut(given, { inputs, workingDirectory, flag: "review" });
    if (await isFree(given)) return { file: given, answeredIn };
    throw new InputError(
      `Expected a file without people's answers for --review but "${given}" holds some`,
      {
        hint: "Name another one; without --review the first of review.jsonl, review-2.jsonl, … is taken that holds none.",
      },
    );
  }
  for (let number = 1; ; number++) {
    const file = number === 1 ? "review.jsonl" : `review-${number}.jsonl`;
    if (await isFree(file)) return { file, answeredIn };
  }
}

/** Which items of a table people have answered; none where there is no such file. */
async function answersIn(
  review: ItemSource,
  task: JudgingTask,
): Promise<{ readonly isAnswered: boolean; readonly items: ReadonlySet<string> }> {
  const items = new Set<string>();
  const size = await stat(resolve(review.environment.workingDirectory, review.file)).then(
    (found) => found.size,
    () => 0,
  );
  if (size === 0) return { isAnswered: false, items };
  const { source, map, pathOf } = await openedTable(review, { isReviewed: true });
  const { images, texts, label } = taskTables[task];
  let isAnswered = false;
  for await (const { all } of readTable({ source: source(), columns: {} })) {
    const cell = (name: string) => all[map[name] ?? name];
    // Answers of another task are no less worth keeping.
    isAnswered ||= Object.values(taskTables).some((columns) => isFilled(cell(columns.label)));
    if (!isFilled(cell(label))) continue;
    items.add(
      keyOf({
        id: String(cell("id")),
        text: String(texts.map(cell).find(isFilled) ?? "").trim(),
        images: images.map((column) => pathOf(String(cell(column)))),
      }),
    );
  }
  return { isAnswered, items };
}

const isFilled = (cell: unknown): boolean =>
  cell !== undefined && cell !== null && String(cell).trim() !== "";

const keyOf = ({
  id,
  text,
  images,
}: {
  readonly id: string;
  readonly text: string;
  readonly images: readonly string[];
}): string => JSON.stringify([id, text, ...images]);
