import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { largestOf, smallestOf } from "../../core/arrays.js";
import { InputError } from "../../core/errors.js";
import { writeFileAtomically } from "../../files/atomic.js";
import { absent } from "../../files/file-error.js";
import { readJsonLines } from "../../files/json-lines.js";
import { isShared } from "../../files/open-store.js";
import type { ParticipantState, StudyState } from "../home/study-state.js";
import type { AnswerTable } from "../protocols/protocol.js";
import { participantQuality } from "../quality/participant-quality.js";
import type { Study } from "../study.js";
import { collectedFrom, keptAnswers } from "../tables/counted-answers.js";
import type { PanelPay } from "./panels.js";

/**
 * One row for everybody who came by an outside id, for whoever pays them: how far they came and how carefully
 * they answered. Neither pseudonym nor answer is in it, so that who pays learns not who said what; sorted by
 * outside id.
 */
export function payments(study: Study, state: StudyState): AnswerTable {
  const participants = collectedFrom(state, "served");
  const quality = new Map(
    participantQuality(study, keptAnswers(study, participants)).map((one) => [
      one.participant,
      one,
    ]),
  );
  const people = new Map<string, ParticipantState[]>();
  for (const one of participants) {
    people.set(one.person, [...(people.get(one.person) ?? []), one]);
  }
  return [...people]
    .flatMap(([person, sessions]) => {
      const outside = sessions.findLast((one) => one.outside !== undefined)?.outside;
      if (outside === undefined) return [];
      const own = quality.get(person);
      const begun = smallestOf(sessions.map(({ consentedAt }) => consentedAt));
      const seen = largestOf(sessions.map(({ seenAt }) => seenAt));
      return [
        {
          source: outside.source,
          id: outside.id,
          study: outside.study ?? null,
          session: outside.session ?? null,
          finished: sessions.some(({ isFinished }) => isFinished) ? 1 : 0,
          left: sessions.some(({ isWithdrawn }) => isWithdrawn) ? 1 : 0,
          minutes: Math.round((seen - begun) / 6_000) / 10,
          answers: own?.answers ?? 0,
          skipped: own?.skipped ?? 0,
          gold_accuracy: own?.goldAccuracy ?? null,
          repeat_agreement: own?.repeatAgreement ?? null,
          median_seconds: own?.medianSeconds ?? null,
          same_answer_share: own?.sameAnswerShare ?? null,
          excluded_by: own?.excludedBy.join(" ") || null,
        },
      ];
    })
    .sort((a, b) =>
      a.source === b.source ? (a.id < b.id ? -1 : 1) : a.source < b.source ? -1 : 1,
    );
}

/** Whom to pay, by outside id: the lists that a panel takes, apart from all answers. */
export interface Settlement {
  /** Finished, and no rule of exclusion broken. */
  readonly approve: AnswerTable;
  /** Finished, but broke a rule of exclusion that was fixed before collection. */
  readonly reject: AnswerTable;
  /** What is missing to the panel's least pay for the minutes that it took. */
  readonly bonus: AnswerTable;
}

/**
 * Sorts the payments of a study.
 *
 * @param rows as `payments` makes them.
 * @param source the panel's, as other outside ids are not paid there.
 */
export function settlement(
  rows: AnswerTable,
  { source, reward, least }: PanelPay & { readonly source: string },
): Settlement {
  const finished = rows.filter((row) => row.source === source && row.finished === 1);
  const named = ({ id, study, session }: AnswerTable[number]) => ({
    id: id ?? null,
    study: study ?? null,
    session: session ?? null,
  });
  const isGood = ({ excluded_by: rule }: AnswerTable[number]) => rule === null;
  const approve = finished.filter(isGood);
  return {
    approve: approve.map(named),
    reject: finished
      .filter((row) => !isGood(row))
      .map((row) => ({ ...named(row), reason: row.excluded_by ?? null })),
    bonus: approve.flatMap((row) => {
      if (reward === undefined) return [];
      const due = ((least ?? 0) * Number(row.minutes)) / 60 - reward;
      return due < 0.01 ? [] : [{ ...named(row), amount: Math.ceil(100 * due - 1e-9) / 100 }];
    }),
  };
}

type ListName = keyof Settlement;
const lists = ["approve", "reject", "bonus"] as const satisfies readonly ListName[];

const lineSchema = z.object({
  list: z.enum(lists),
  state: z.enum(["sent", "done", "refused"]),
  of: z.array(z.string()),
});

const notesIn = (folder: string) => join(folder, "settled.jsonl");
const textIn = (path: string) => readFile(path, "utf8").catch(absent(path));

/**
 * Brings what was settled along to the copy of a study. Returns where it stays if the copy is in a database, which holds
 * no such file.
 *
 * @throws InputError where the copy was settled by itself: its places would be paid twice.
 */
export async function copySettled(from: string, to: string): Promise<string | undefined> {
  if (isShared(from)) return undefined;
  const notes = (await textIn(notesIn(from))) ?? "";
  if (isShared(to)) return notes === "" ? undefined : notesIn(from);
  const known = (await textIn(notesIn(to))) ?? "";
  if (notes === known) return undefined;
  if (!notes.startsWith(known)) {
    throw new InputError(
      `Expected ${notesIn(to)} to begin ${notesIn(from)} but it notes other calls`,
      { hint: "Places were settled from the copy. Settle from one of the two only." },
    );
  }
  await writeFileAtomically(notesIn(to), notes, { mode: 0o600 });
  return undefined;
}

/**
 * What was settled at a panel, in a file of one JSON object a call: `sent` before the call, `done` or `refused` after
 * it. So nothing is paid twice, whenever it stops.
 */
export class Settled {
  readonly #path: string;

  constructor(folder: string) {
    this.#path = notesIn(folder);
  }

  /**
   * The rows that were not settled yet.
   *
   * @throws InputError where a call was sent of which nobody knows how it ended.
   */
  async left(all: Settlement): Promise<Settlement> {
    const states = await this.#states();
    const unknown = [...states].filter(([, state]) => state === "sent");
    const [first] = unknown;
    if (first !== undefined) {
      throw new InputError(
        `Expected an answer to every earlier call but none came for ${unknown.length}, the first ${first[0]}`,
        {
          hint: `See at the panel whether it was done; then write "done" or "refused" in place of "sent" in ${this.#path}`,
        },
      );
    }
    const leftOf = (list: ListName) =>
      all[list].filter((row) => states.get(nameOf(list, row)) !== "done");
    return { approve: leftOf("approve"), reject: leftOf("reject"), bonus: leftOf("bonus") };
  }

  /** Makes a call about rows, noted before and after it. */
  async call(list: ListName, rows: AnswerTable, make: () => Promise<unknown>): Promise<void> {
    await this.#note(list, "sent", rows);
    try {
      await make();
    } catch (error) {
      // The panel answered that it did nothing.
      if (error instanceof InputError) await this.#note(list, "refused", rows);
      throw error;
    }
    await this.#note(list, "done", rows);
  }

  async #note(list: ListName, state: string, rows: AnswerTable): Promise<void> {
    const line = { list, state, of: rows.map(submissionOf) };
    await appendFile(this.#path, `${JSON.stringify(line)}\n`, { mode: 0o600, flush: true });
  }

  async #states(): Promise<Map<string, string>> {
    const states = new Map<string, string>();
    if ((await textIn(this.#path)) === undefined) return states;
    const hint = "See at the panel what was done, and correct the line";
    for await (const { line, value } of readJsonLines(this.#path, { hint })) {
      const { success, data } = lineSchema.safeParse(value);
      if (!success) {
        throw new InputError(`Expected a call in ${this.#path}, line ${line}, but it is damaged`, {
          hint,
        });
      }
      for (const submission of data.of) states.set(`${data.list} of ${submission}`, data.state);
    }
    return states;
  }
}

const submissionOf = ({ study, session }: AnswerTable[number]): string => `${study}/${session}`;
const nameOf = (list: ListName, row: AnswerTable[number]) => `${list} of ${submissionOf(row)}`;
