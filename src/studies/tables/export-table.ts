import { InputError } from "../../core/errors.js";
import { drawnColumn } from "../../core/judging-tables.js";
import type { AnswerTable, TableName } from "../protocols/protocol.js";
import { protocols } from "../protocols/protocols.js";
import type { Study, StudyBlock, StudyItem } from "../study.js";
import type { KeptAnswer } from "./counted-answers.js";

/**
 * The table that a verb of `analyze` (or calibrate, compare) reads, made of a study's answers. Gold
 * items and repeats are in none. Answers to a queue that a judge put to people whole count as labels where
 * none is missing.
 *
 * @throws InputError where no block has such a table, or several have and none is named.
 */
export function exportTable(study: Study, options: ExportedTable): AnswerTable {
  const { protocol, block, own } = answersFor(study, options);
  const { table } = options;
  if (table !== "agreement") {
    const rows = protocol.tables[table]?.(own) ?? [];
    const isWhole = table === "calibrate" && rows.length === block.items.length;
    return isWhole && block.items.every(isDrawn)
      ? rows.map((row) => ({ ...row, [drawnColumn]: "true" }))
      : rows;
  }
  return own.flatMap(({ item, participant, answer }) => {
    const value = answer === null ? null : protocol.value(answer);
    return value === null ? [] : [{ item: item.id, annotator: participant, value }];
  });
}

/** Whether nobody looked at confidence before an item was put to people. */
const isDrawn = ({ beside }: StudyItem) => String(beside[drawnColumn]) === "true";

/** How many items such a table leaves out, since no answer of theirs has a majority. */
export function undecidedItems(study: Study, options: ExportedTable): number {
  const { protocol, own } = answersFor(study, options);
  return protocol.undecided?.(own, options.table) ?? 0;
}

/** Answers that a table is made of, and which of them it leaves out. */
export interface ExportedTable {
  readonly answers: readonly KeptAnswer[];
  readonly table: TableName;
  /** The block, where several have such a table. */
  readonly block?: string | undefined;
  /** Participants whose answers are left out. */
  readonly without?: ReadonlySet<string>;
}

function answersFor(
  study: Study,
  { answers, table, block: wanted, without = new Set() }: ExportedTable,
) {
  const block = blockWith(study, { table, wanted });
  const own = answers.filter(
    (answer) =>
      answer.block === block.name && answer.kind === "item" && !without.has(answer.participant),
  );
  return { protocol: protocols[block.settings.protocol], block, own };
}

function blockWith(
  study: Study,
  { table, wanted }: { readonly table: TableName; readonly wanted: string | undefined },
): StudyBlock {
  const having = study.blocks.filter((block) => hasTable(block, table));
  const found = wanted === undefined ? having : having.filter(({ name }) => name === wanted);
  const [block] = found;
  if (block !== undefined && found.length === 1) return block;
  const names = having.map(({ name }) => name).join(", ");
  if (having.length === 0) {
    const there = study.blocks.map(({ settings }) => settings.protocol).join(", ");
    throw new InputError(`Expected a block that gives the table ${table} but there are ${there}`);
  }
  throw new InputError(
    wanted === undefined
      ? `Expected one block for the table ${table} but ${names} have one each`
      : `Expected one of ${names} for --block but received "${wanted}"`,
    { hint: `Add --block ${having[0]?.name}` },
  );
}

/** Whether a block's answers make this table. */
export const hasTable = ({ settings }: StudyBlock, table: TableName): boolean =>
  table === "agreement"
    ? settings.protocol !== "mental-image"
    : protocols[settings.protocol].tables[table] !== undefined;
