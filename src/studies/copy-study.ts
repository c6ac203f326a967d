import { InputError } from "../core/errors.js";
import { asJson, canonicalJson } from "../core/json.js";
import type { Hash } from "../core/keys.js";
import { hasStudy, newStudy, openStudy } from "./home/open-study.js";
import { readStored, type StoredStudy, storedIn } from "./home/read-state.js";
import type { StoredParticipant, StudyChange } from "./home/study-change.js";
import type { StudyHome } from "./home/study-home.js";
import { copySettled } from "./panel/settled.js";
import { changeStudy } from "./server/change-study.js";
import { itemsOf } from "./study.js";

/** Counts of what a copy added. */
export interface CopiedStudy {
  readonly images: number;
  /** Who was not in the copy before. */
  readonly participants: number;
  readonly events: number;
  readonly erased: number;
  /** Where payments stay noted that the copy, in a database, has no place for. */
  readonly settledIn?: string;
}

/**
 * Copies a study with its images, answers and secrets to another home, such as from a folder to a database.
 * A copy of a study that went on since is brought up to it: who was erased from the one is erased from the
 * other. A copy that was killed goes on when it is made again.
 *
 * @throws InputError where something else stands there, or the copy went on by itself.
 */
export async function copyStudy(from: string, to: string): Promise<CopiedStudy> {
  const source = await openStudy(from);
  const images = (await hasStudy(to)) ? 0 : await copyFrozen(source, to);
  const target = await openStudy(to);
  if (target.study.id !== source.study.id || target.secret !== source.secret) {
    throw new InputError(`Expected a copy of ${source.place} but ${target.place} is another study`);
  }
  const settledIn = await copySettled(from, to);
  const stored = await readStored(source);
  const changes = await changeStudy(target, {
    async asked(served) {
      throw new InputError(
        `Expected a copy that nobody serves but process ${served.process} serves it at ${served.url}`,
        { hint: "Stop study serve there, then copy again." },
      );
    },
    async here() {
      const known = await target.changes(0);
      const missing = missingIn(target, { stored, known: storedIn(known.changes) });
      await target.turn(known.upTo, (others) => {
        if (others.length === 0) return missing;
        throw new InputError(`Expected a copy that nobody serves but ${target.place} has changed`);
      });
      for (const noted of await source.runs()) await target.noteRun(noted);
      return missing;
    },
  });
  const admitted = changes.flatMap((one) => (one.change === "admitted" ? [one.participant] : []));
  return {
    images,
    participants: admitted.length,
    events:
      admitted.reduce((sum, { events }) => sum + events.length, 0) +
      changes.filter(({ change }) => change === "event").length,
    erased: changes.filter((one) => one.change === "removed" && one.participant !== undefined)
      .length,
    ...(settledIn !== undefined && { settledIn }),
  };
}

async function copyFrozen(source: StudyHome, to: string): Promise<number> {
  const { study, secret, adminToken } = source;
  const made = await newStudy(to);
  const hashes = new Set<Hash>(
    study.blocks.flatMap((block) => [...itemsOf(block).values()].flatMap(({ images }) => images)),
  );
  for (const hash of hashes) await made.images.write(await source.image(hash));
  await made.create(study, { secret, adminToken });
  return hashes.size;
}

/** Finds what the study has that its copy lacks. */
function missingIn(
  { place }: StudyHome,
  { stored, known }: { readonly stored: StoredStudy; readonly known: StoredStudy },
): StudyChange[] {
  const changes: StudyChange[] = [];
  const before = new Map(known.participants.map((one) => [one.id, one]));
  const ownWay = () =>
    new InputError(`Expected a copy that only follows its study but ${place} went on by itself`, {
      hint: "People took part there since it was copied. Serve only one of the two.",
    });
  for (const participant of stored.participants) {
    const { events: there = [], drafts: had = {} } = before.get(participant.id) ?? {};
    before.delete(participant.id);
    if (there.length === 0) changes.push({ change: "admitted", participant });
    else {
      if (!isBeginning(there, participant)) throw ownWay();
      for (const event of participant.events.slice(there.length)) {
        changes.push({ change: "event", participant: participant.id, event });
      }
      const { id, drafts = {} } = participant;
      if (canonicalJson(had) !== canonicalJson(drafts)) {
        changes.push({ change: "drafts", participant: id, drafts });
      }
    }
  }
  const removed = new Set(known.removals.map((one) => canonicalJson(asJson(one))));
  for (const removal of stored.removals) {
    if (removed.has(canonicalJson(asJson(removal)))) continue;
    const [erased] = [...before.values()].filter(({ events: [first] }) =>
      first?.event === "consent" ? removal.proofs.includes(first.proof) : false,
    );
    if (erased === undefined) changes.push({ change: "removed", removal });
    else {
      before.delete(erased.id);
      changes.push({ change: "removed", removal, participant: erased.id });
    }
  }
  if (before.size > 0 || known.removals.length > stored.removals.length) throw ownWay();
  if (stored.closedAt !== undefined && known.closedAt === undefined) {
    changes.push({ change: "closed", at: stored.closedAt });
  }
  return changes;
}

const isBeginning = (there: StoredParticipant["events"], { events }: StoredParticipant): boolean =>
  there.length <= events.length &&
  there.every((event, at) => JSON.stringify(event) === JSON.stringify(events[at]));
