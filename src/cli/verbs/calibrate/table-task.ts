import { InputError } from "../../../core/errors.js";
import { taskTables } from "../../../core/judging-tables.js";
import { type JudgingTask, judgingTasks } from "../../../core/judging-task.js";
import { listText } from "../../../core/list-text.js";
import { readTable } from "../../../files/read-table.js";
import type { TableSource } from "../../../files/table-source.js";

/** Names to the names in the table, as --map has them. */
export type NameMap = Readonly<Record<string, string>>;

const isIn = (columns: ReadonlySet<string>, map: NameMap) => (name: string) =>
  columns.has(map[name] ?? name);

/** Whether a table can be read for a task. */
function serves(columns: ReadonlySet<string>, map: NameMap, task: JudgingTask): boolean {
  const { images, texts } = taskTables[task];
  const has = isIn(columns, map);
  return images.every(has) && texts.some(has);
}

/** The columns of a table's first row. */
export async function columnsOf(source: TableSource): Promise<ReadonlySet<string>> {
  for await (const { all } of readTable({ source, columns: {} })) return new Set(Object.keys(all));
  return new Set();
}

/**
 * Finds the task of labels by their columns. Where they would do for questions and for ratings,
 * the column of answers decides.
 *
 * @throws InputError where they are of no task, or of two.
 */
export async function labelledTask(source: TableSource, map: NameMap): Promise<JudgingTask> {
  const columns = await columnsOf(source);
  const served = judgingTasks.filter((task) => serves(columns, map, task));
  const answered = served.filter((task) => isIn(columns, map)(taskTables[task].label));
  const [task, another] = answered.length > 0 ? answered : served;
  if (task === undefined) throw ofNoTask(source, columns);
  if (another === undefined) return task;
  throw new InputError(
    `Expected labels of one task in ${source.name} but its columns would do for ${listText(answered.length > 0 ? answered : served)}`,
    { hint: `Say which is meant: --task ${task}` },
  );
}

/** @throws InputError where a table can't be read for a task, naming the one that it is of. */
export async function checkTask(
  source: TableSource,
  map: NameMap,
  { task, whose }: { readonly task: JudgingTask; readonly whose: string },
): Promise<void> {
  const columns = await columnsOf(source);
  if (serves(columns, map, task)) return;
  const other = judgingTasks.find((one) => serves(columns, map, one));
  // What is missing of a table of the right task, reading it says.
  if (other === undefined) return;
  throw new InputError(
    `Expected ${taskTables[task].item}s (${taskTables[task].columns}) for ${whose}, which is of the task ` +
      `${task}, but ${source.name} holds ${taskTables[other].item}s (${taskTables[other].columns})`,
    { hint: `A judge of them is made by: touchstone calibrate LABELS --task ${other}` },
  );
}

const mostListed = 20;

function ofNoTask({ name }: TableSource, columns: ReadonlySet<string>): InputError {
  const found = [...columns];
  const listed = `${found.slice(0, mostListed).join(", ")}${found.length > mostListed ? ", …" : ""}`;
  const wanted = judgingTasks.map(
    (task) => `${taskTables[task].columns}, ${taskTables[task].label}`,
  );
  return new InputError(
    `Expected the columns ${wanted.join("; or ")} in ${name} but found ${listed}`,
    { hint: "If a column has another name, map it: --map image=my_column" },
  );
}
