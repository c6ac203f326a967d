import { InputError } from "../../core/errors.js";
import type { Json, JsonObject } from "../../core/json.js";
import { listText } from "../../core/list-text.js";
import type { ParticipantState, StudyState } from "../home/study-state.js";
import type { AnswerTable, TableCell } from "../protocols/protocol.js";
import { participantQuality } from "../quality/participant-quality.js";
import { itemsOf, type Study } from "../study.js";
import { type Collected, collectedFrom, keptAnswers } from "./counted-answers.js";

/** Tables for people who analyse by themselves, in R for instance. */
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
 * One row an answer, each with all that is known of it: skipped ones, gold items, repeats and answers
 * that were corrected later among them. Yes is 1, no is 0; times are UTC; what has no cell (a sketch)
 * is JSON. `docs/studies.md` lists the columns. Outside ids are in none.
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
            swapped: flag(event.swapped),
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

/** One row a participant: what they told of themselves, how they answered, and the rules they break. */
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

/** Members as cells, those of members within as `outer_inner`. */
function flattened(prefix: string, value: JsonObject): Row {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]): [string, TableCell][] => {
      const column = `${prefix}_${name}`;
      return typeof member === "object" && member !== null && !Array.isArray(member)
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
