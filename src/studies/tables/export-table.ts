import { InputError } from "../../core/errors.js";
import { isPlainObject, type Json, type JsonObject } from "../../core/json.js";
import { drawnColumn } from "../../core/judging-task.js";
import { listText } from "../../core/phrases.js";
import type { ParticipantState, StudyState } from "../home/study-state.js";
import { itemsAnswered } from "../protocols/draws.js";
import type { AnswerTable, TableCell, TableName } from "../protocols/protocol.js";
import { protocolOf } from "../protocols/protocols.js";
import { participantQuality } from "../quality/participant-quality.js";
import { itemsOf, type Study, type StudyBlock, type StudyItem } from "../study.js";
import { type Collected, collectedFrom, type KeptAnswer, keptAnswers } from "./counted-answers.js";

/**
 * Returns the table that a verb of `analyze` (or calibrate, compare) reads, made of a study's answers
 * without gold items and repeats. While items that `label plan` drew lack answers, `weight` lets the others of their
 * stratum stand for them. Answers to a queue that a judge put to people count as labels only where
 * none is missing.
 * @throws InputError where no block has such a table, or several have and none is named.
 */
export function exportTable(study: Study, options: ExportedTable): AnswerTable {
  const { protocol, block, own } = answersFor(study, options);
  const { table } = options;
  if (table !== "agreement") {
    const answered = new Set(
      own.flatMap(({ item, answer }) =>
        answer !== null && protocol.value(answer) !== null ? [item.id] : [],
      ),
    );
    const items = itemsAnswered(block.items, ({ id }) => answered.has(id));
    const counted = own.map((one) => ({ ...one, item: items.get(one.item.id) ?? one.item }));
    const rows = protocol.tables[table]?.(counted) ?? [];
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

/** Tells whether an item was drawn without looking at the judge's confidence. */
const isDrawn = ({ beside }: StudyItem) => String(beside[drawnColumn]) === "true";

/** Number of items without a majority, which such a table leaves out. */
export function undecidedItems(study: Study, options: ExportedTable): number {
  const { protocol, own } = answersFor(study, options);
  return protocol.undecided?.(own, options.table) ?? 0;
}

/** The answers that a table is made of, and which are left out. */
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
  return { protocol: protocolOf(block.settings.protocol), block, own };
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

/** Tells whether a block's answers make this table. */
export const hasTable = (
  { settings }: { readonly settings: Pick<StudyBlock["settings"], "protocol"> },
  table: TableName,
): boolean =>
  table === "agreement"
    ? settings.protocol !== "mental-image"
    : protocolOf(settings.protocol).tables[table] !== undefined;

/** Names of the tables for people who analyse by themselves, in R for instance. */
export const wholeTableNames = ["all", "participants"] as const;
export type WholeTableName = (typeof wholeTableNames)[number];

export const isWhole = (table: string): table is WholeTableName =>
  wholeTableNames.some((name) => name === table);

type Row = Record<string, TableCell>;
type Given = { readonly state: StudyState; readonly collected: Collected };

/**
 * One of the whole tables, of one block's answers where one is named.
 *
 * @throws InputError where there is no such block.
 */
export function wholeTable(
  study: Study,
  {
    table,
    block,
    without,
    ...given
  }: Given & {
    readonly table: WholeTableName;
    readonly block: string | undefined;
    readonly without: ReadonlySet<string>;
  },
): AnswerTable {
  const names = study.blocks.map(({ name }) => name);
  if (block !== undefined && !names.includes(block)) {
    throw new InputError(`Expected one of ${listText(names)} for --block but received "${block}"`);
  }
  const rows = table === "all" ? allAnswers(study, given) : participants(study, given);
  return rows.filter(
    (row) =>
      !without.has(String(row.participant)) &&
      (table !== "all" || block === undefined || row.block === block),
  );
}

/**
 * One row for each answer with all that is known about it, also skipped and corrected ones, gold items and
 * repeats. Yes is 1, no is 0; times are UTC; what has no cell (a sketch) is JSON. `data/study-calls.yaml` lists
 * the columns. No outside ids.
 */
function allAnswers(study: Study, { state, collected }: Given): AnswerTable {
  const items = new Map(study.blocks.map((block) => [block.name, itemsOf(block)]));
  const people = new Map(
    participants(study, { state, collected }).map((row) => [row.participant, row]),
  );
  return collectedFrom(state, collected).flatMap(({ person, assignments, elsewhere }) =>
    [...assignments.values()].flatMap(({ answers }) =>
      answers.flatMap((event): Row[] => {
        const item = items.get(event.block)?.get(event.item);
        if (item === undefined || event.kind === "practice") return [];
        const { excluded, excluded_by, ...about } = people.get(person) ?? {};
        const isBackground = ([name]: [string, TableCell]) => name.startsWith("background_");
        return [
          {
            participant: person,
            collected: elsewhere ?? "served",
            block: event.block,
            protocol: event.protocol,
            item: event.item,
            kind: event.kind,
            ...flattened("answer", event.answer ?? {}),
            skipped: flag(event.answer === null),
            attempt: event.attempt,
            corrected: flag(event !== answers.at(-1)),
            swapped: event.protocol === "pairwise" ? flag(event.swapped) : null,
            milliseconds: event.milliseconds ?? null,
            answered_at: timeOf(event.at),
            note: event.note ?? null,
            excluded: excluded ?? 0,
            excluded_by: excluded_by ?? null,
            ...flattened("known", item.known ?? {}),
            images: JSON.stringify(item.sources),
            ...flattened("item", item.content),
            ...flattened("beside", item.beside),
            ...Object.fromEntries(Object.entries(about).filter(isBackground)),
          },
        ];
      }),
    ),
  );
}

/** One row for each participant: background, quality of answers, and the rules they break. */
function participants(study: Study, { state, collected }: Given): readonly Row[] {
  const sessionsOf = new Map<string, ParticipantState[]>();
  for (const one of collectedFrom(state, collected)) {
    sessionsOf.set(one.person, [...(sessionsOf.get(one.person) ?? []), one]);
  }
  const answers = keptAnswers(study, collectedFrom(state, collected));
  const quality = new Map(participantQuality(study, answers).map((one) => [one.participant, one]));
  return [...sessionsOf].flatMap(([person, sessions]): Row[] => {
    const [one] = sessions;
    if (one === undefined) return [];
    const background = Object.assign({}, ...sessions.map((session) => session.background ?? {}));
    const own = quality.get(person);
    return [
      {
        participant: person,
        collected: one.elsewhere ?? "served",
        consented_at: timeOf(one.consentedAt),
        finished: flag(sessions.some(({ isFinished }) => isFinished)),
        withdrawn: flag(sessions.some(({ isWithdrawn }) => isWithdrawn)),
        answers: own?.answers ?? 0,
        skipped: own?.skipped ?? 0,
        gold_accuracy: own?.goldAccuracy ?? null,
        repeat_agreement: own?.repeatAgreement ?? null,
        median_seconds: own?.medianSeconds ?? null,
        same_answer_share: own?.sameAnswerShare ?? null,
        excluded: flag((own?.excludedBy.length ?? 0) > 0),
        excluded_by: own?.excludedBy.join(" ") || null,
        ...Object.fromEntries(
          study.settings.background.map(({ name }) => [
            `background_${name}`,
            cellOf(background[name] ?? null),
          ]),
        ),
      },
    ];
  });
}

const flag = (is: boolean): 0 | 1 => (is ? 1 : 0);

const timeOf = (at: number): string => new Date(at).toISOString();

/** Members as cells; nested members are named `outer_inner`. */
function flattened(prefix: string, value: JsonObject): Row {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]): [string, TableCell][] => {
      const column = `${prefix}_${name}`;
      return isPlainObject(member)
        ? Object.entries(flattened(column, member as JsonObject))
        : [[column, cellOf(member)]];
    }),
  );
}

function cellOf(value: Json | undefined): TableCell {
  if (value === undefined) return null;
  if (typeof value === "boolean") return flag(value);
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}
