import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import { drawnColumn, type JudgingTask, taskTables } from "../../../core/judging-task.js";
import { readTable } from "../../../files/read-table.js";
import { besideName, checkOut } from "../../command-line/out-path.js";
import { type ItemRow, saidIn } from "../calibrate/judged-table.js";
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

/** What people said of an item. */
export interface PeoplesAnswer {
  /** In the words of the task: a, b, tie, yes, no, or a rating. */
  readonly said: string | number;
  readonly file: string;
  /** Whether it was put to them whatever a judge thinks of it. */
  readonly isDrawn: boolean;
}

/** Where the review queue goes, and what people have said before. */
export interface ReviewPlace {
  readonly file: string;
  /** People's answer to an item, if they gave one. */
  answerTo(item: ItemRow): PeoplesAnswer | undefined;
}

/**
 * A file for the review queue that holds no answers of people: `review.jsonl`, or `review-2.jsonl` and
 * so on where the ones before hold some. What people said in the judge's own files, its labels included,
 * and in those that were passed over is read, so that nobody is asked again.
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
  const answered = new Map<string, PeoplesAnswer>();
  const path = (file: string) => resolve(workingDirectory, file);
  const inputs = [own.labels, ...own.added];
  const inputPaths = new Set(inputs.map(path));
  const readInto = async (file: string, isReviewed = true) => {
    const source = { file, map, images, environment };
    const { isAnswered, items } = await answersIn(source, { task, isReviewed });
    for (const [item, answer] of items) if (!answered.has(item)) answered.set(item, answer);
    return isAnswered;
  };
  await readInto(own.labels, false);
  for (const file of own.added) await readInto(file);
  const answerTo = ({ text, images }: ItemRow) =>
    answered.get(
      keyOf(
        text,
        images.map(({ path }) => path),
      ),
    );

  const isFree = async (file: string) => !inputPaths.has(path(file)) && !(await readInto(file));

  if (given !== undefined) {
    await checkOut(given, { inputs, workingDirectory, flag: "review" });
    if (await isFree(given)) return { file: given, answerTo };
    throw new InputError(
      `Expected a file without people's answers for --review but "${given}" holds some`,
      {
        hint: "Name another one; without --review the first of review.jsonl, review-2.jsonl, … is taken that holds none.",
      },
    );
  }
  for (let number = 1; ; number++) {
    const file = besideName("review.jsonl", number);
    if (await isFree(file)) return { file, answerTo };
  }
}

/** What people said in a table, by item; nothing where there is no such file. */
async function answersIn(
  review: ItemSource,
  { task, isReviewed }: { readonly task: JudgingTask; readonly isReviewed: boolean },
): Promise<{ readonly isAnswered: boolean; readonly items: ReadonlyMap<string, PeoplesAnswer> }> {
  const { file } = review;
  const items = new Map<string, PeoplesAnswer>();
  const size = await stat(resolve(review.environment.workingDirectory, file)).then(
    (found) => (found.isFile() ? found.size : 0),
    () => 0,
  );
  if (size === 0) return { isAnswered: false, items };
  const { source, map, pathOf } = await openedTable(review, { isReviewed });
  const { images, texts, label } = taskTables[task];
  let isAnswered = false;
  for await (const { all } of readTable({ source: source(), columns: {} })) {
    const cell = (name: string) => all[map[name] ?? name];
    // Answers of another task are no less worth keeping.
    isAnswered ||= Object.values(taskTables).some((columns) => isFilled(cell(columns.label)));
    const said = saidIn(cell(label), task);
    if (said === undefined) continue;
    const key = keyOf(
      String(texts.map(cell).find(isFilled) ?? "").trim(),
      images.map((column) => pathOf(String(cell(column)))),
    );
    const isDrawn = !isReviewed || String(cell(drawnColumn)) === "true";
    if (!items.has(key)) items.set(key, { said, file, isDrawn });
  }
  return { isAnswered, items };
}

const isFilled = (cell: unknown): boolean =>
  cell !== undefined && cell !== null && String(cell).trim() !== "";

/** The same text and images are the same item, under whatever id. */
const keyOf = (text: string, images: readonly string[]): string =>
  JSON.stringify([text, ...images]);
