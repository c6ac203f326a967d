import { access, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { append } from "../../core/arrays.js";
import { InputError } from "../../core/errors.js";
import type { Hash } from "../../core/keys.js";
import { clearAfterKilled, writeFileAtomically } from "../../files/atomic.js";
import { absent } from "../../files/file-error.js";
import { readJsonLinesWhole } from "../../files/json-lines.js";
import { makeFolder, namesIn } from "../../files/make-folder.js";
import { exists } from "../../files/paths.js";
import { type Served, Serving, servedBy } from "../server/served-study.js";
import type { Study } from "../study.js";
import { AppendFile } from "./append-file.js";
import {
  type FrozenStudy,
  frozenName,
  frozenTexts,
  newSecrets,
  readFrozenStudy,
  secretName,
} from "./frozen-study.js";
import { type ParticipantEvent, participantEvent } from "./participant-event.js";
import {
  type Drafts,
  draftsSchema,
  outsideSchema,
  removalSchema,
  type StoredParticipant,
  type StudyChange,
} from "./study-change.js";
import { type ChangesUpTo, type NotedRun, notedRunSchema, type StudyHome } from "./study-home.js";
import { StudyImages } from "./study-images.js";
import type { StudyState } from "./study-state.js";

/** Files that are read side by side. */
const filesAtOnce = 16;

const closedSchema = z.object({ at: z.int() });

/** A participant's name as files have it; nothing else is opened under it. */
const participantId = /^p-[a-z2-7]{8,32}$/;

export const hasStudyFolder = (directory: string): Promise<boolean> =>
  exists(join(directory, frozenName));

/** Files that a creation that was killed may have left. */
const leftByCreation = ["images", "items", secretName];

/** @throws InputError where a folder holds a study, or anything else. */
export async function checkFreeFolder(directory: string): Promise<void> {
  const names = (await namesIn(directory)).filter((name) => !leftByCreation.includes(name));
  if (names.length === 0) return;
  throw new InputError(`Expected an empty or new folder for --run but ${directory} holds files`, {
    hint: "Choose another name: a study's answers belong to the items it was created with.",
  });
}

/** Writes a new study folder: what was frozen, and the secrets that only its server reads. */
export async function createStudyFolder(
  directory: string,
  study: Study,
  secrets: Omit<FrozenStudy, "study"> = newSecrets(),
): Promise<void> {
  await makeFolder(directory);
  for (const [name, text] of frozenTexts({ study, ...secrets })) {
    if (name === secretName) {
      await rm(join(directory, name), { force: true });
      // Readable by its owner alone, as an AppendFile is.
      await new AppendFile(join(directory, name)).append(text.trimEnd());
    } else await writeFileAtomically(join(directory, name), text);
  }
}

/**
 * Opens a study folder.
 *
 * @throws InputError where there is none, or it was changed by hand.
 */
export async function openStudyFolder(directory: string): Promise<StudyFolder> {
  const placeOf = (name: string) => join(directory, name);
  const read = (name: string) => readFile(placeOf(name), "utf8").catch(absent(placeOf(name)));
  return new StudyFolder(directory, await readFrozenStudy({ read, placeOf }));
}

/**
 * A study in a folder. Everything of one participant lies in `participants/ID.jsonl`, `drafts/ID.json` and
 * `outside-ids/ID.json`, so erasing is removing three files. No file stays open between calls, so nobody
 * closes a study.
 */
export class StudyFolder implements StudyHome {
  readonly directory: string;
  readonly isShared = false;
  readonly study: Study;
  readonly secret: string;
  readonly adminToken: string;
  readonly #images: StudyImages;
  #folder: Promise<unknown> | undefined;
  #serving: Serving | undefined;
  readonly #files = new Map<string, AppendFile>();
  readonly #removals: AppendFile;

  constructor(directory: string, { study, secret, adminToken }: FrozenStudy) {
    this.directory = directory;
    this.study = study;
    this.secret = secret;
    this.adminToken = adminToken;
    this.#images = new StudyImages(directory);
    this.#removals = new AppendFile(join(directory, "removals.jsonl"));
  }

  get place(): string {
    return this.directory;
  }

  image(hash: Hash): Promise<Uint8Array> {
    return this.#images.read(hash);
  }

  /** Nobody else writes here: what there is was there at the beginning. */
  async changes(since: number): Promise<ChangesUpTo> {
    if (since > 0) return { changes: [], upTo: since };
    const participants: StoredParticipant[] = [];
    const ids = await this.#idsIn("participants");
    for (let from = 0; from < ids.length; from += filesAtOnce) {
      const some = await Promise.all(
        ids.slice(from, from + filesAtOnce).map(async (id) => ({
          id,
          events: await this.#eventsOf(id),
          outside: await onlyLineOf(this.#outsidePath(id), outsideSchema),
          drafts: await onlyLineOf(this.#draftsPath(id), draftsSchema),
        })),
      );
      // A first line that a kill left torn was never acknowledged.
      append(
        participants,
        some.filter(({ events }) => events.length > 0),
      );
    }
    // A person who came twice is taken up in the order of coming.
    const cameAt = ({ events: [first] }: StoredParticipant) => first?.at ?? 0;
    participants.sort((a, b) => cameAt(a) - cameAt(b));
    const removals = await linesOf(this.#removals.path, removalSchema);
    const closed = await linesOf(this.#closedPath, closedSchema);
    const changes: readonly StudyChange[] = [
      ...participants.map((participant) => ({ change: "admitted", participant }) as const),
      ...removals.map((removal) => ({ change: "removed", removal }) as const),
      ...closed.map(({ at }) => ({ change: "closed", at }) as const),
    ];
    return { changes, upTo: 1 };
  }

  /** Those of one participant are stored in order, those of different ones side by side. */
  async turn(
    since: number,
    decide: (others: readonly StudyChange[]) => readonly StudyChange[],
  ): Promise<number> {
    const { changes, upTo } = await this.changes(since);
    const byParticipant = new Map<string, StudyChange[]>();
    for (const change of decide(changes)) {
      const name = participantOf(change);
      byParticipant.set(name, [...(byParticipant.get(name) ?? []), change]);
    }
    // Whoever hears of a failure reads the study anew, so nothing may still be on its way then.
    const stored = await Promise.allSettled(
      [...byParticipant.values()].map((own) => this.#store(own)),
    );
    const failed = stored.find((each) => each.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    return upTo;
  }

  soleServer(): Promise<Served | undefined> {
    return servedBy(this.directory);
  }

  async beginServing(): Promise<void> {
    this.#serving = await Serving.begin(this.directory);
  }

  async noteServing(url: string): Promise<void> {
    await this.#serving?.note(url);
  }

  async endServing(): Promise<void> {
    await this.#serving?.end();
    this.#serving = undefined;
  }

  /** Removes files of nobody: of people whose consent was never acknowledged, or who were half erased. */
  async mend({ participants }: StudyState): Promise<void> {
    for (const id of await this.#idsIn("participants")) {
      if (!participants.has(id)) await this.#removeFiles(id);
    }
    for (const folder of ["outside-ids", "drafts"]) {
      for (const id of await this.#idsIn(folder)) {
        if (!participants.has(id)) await this.#removeFiles(id);
      }
    }
  }

  /** Notes that a run takes answers over, so that who is erased can be erased there, too. */
  async noteRun(noted: NotedRun): Promise<void> {
    const known = await this.runs();
    if (known.some(({ run, block }) => run === noted.run && block === noted.block)) return;
    const lines = [...known, noted].map((one) => `${JSON.stringify(one)}\n`);
    await writeFileAtomically(this.#runsPath, lines.join(""));
  }

  runs(): Promise<readonly NotedRun[]> {
    return linesOf(this.#runsPath, notedRunSchema);
  }

  /** A file that was removed leaves nothing under the folder. */
  async reclaim(): Promise<readonly string[]> {
    return [];
  }

  async #store(changes: readonly StudyChange[]): Promise<void> {
    for (const change of changes) {
      switch (change.change) {
        case "admitted":
          await this.#admit(change.participant);
          break;
        case "event":
          await this.#append(change.participant, change.event, change);
          break;
        case "drafts":
          await this.#keepDrafts(change.participant, change.drafts);
          break;
        case "removed":
          await this.#remove(change);
          break;
        case "closed":
          await writeFileAtomically(this.#closedPath, `${JSON.stringify({ at: change.at })}\n`);
          break;
      }
    }
  }

  async #admit({ id, events, outside, drafts }: StoredParticipant): Promise<void> {
    if (drafts !== undefined) await this.#keepDrafts(id, drafts);
    if (outside !== undefined) {
      const text = `${JSON.stringify(outside)}\n`;
      await writeFileAtomically(this.#outsidePath(id), text, { mode: 0o600 });
    }
    for (const event of events) await this.#append(id, event);
  }

  async #keepDrafts(participant: string, drafts: Drafts): Promise<void> {
    const path = this.#draftsPath(participant);
    if (Object.keys(drafts).length === 0) await rm(path, { force: true });
    else await writeFileAtomically(path, `${JSON.stringify(drafts)}\n`, { mode: 0o600 });
  }

  async #append(
    participant: string,
    event: ParticipantEvent,
    options: { readonly mustLast?: boolean } = {},
  ): Promise<void> {
    const path = this.#pathOf(participant);
    this.#folder ??= makeFolder(join(this.directory, "participants"));
    await this.#folder;
    const file = this.#files.get(participant) ?? new AppendFile(path);
    this.#files.set(participant, file);
    await file.append(JSON.stringify(event), options);
  }

  /** Noted first: a session of somebody who is half erased must not begin anew. */
  async #remove({ removal, participant }: Extract<StudyChange, { change: "removed" }>) {
    await this.#removals.append(JSON.stringify(removal));
    if (participant !== undefined) await this.#removeFiles(participant);
  }

  async #removeFiles(participant: string): Promise<void> {
    await this.#files.get(participant)?.written();
    this.#files.delete(participant);
    for (const path of [this.#pathOf, this.#draftsPath, this.#outsidePath]) {
      await clearAfterKilled(path.call(this, participant));
      await rm(path.call(this, participant), { force: true });
    }
  }

  async #eventsOf(id: string): Promise<ParticipantEvent[]> {
    const events: ParticipantEvent[] = [];
    const path = this.#pathOf(id);
    for (const { line, value } of await readJsonLinesWhole(path, { tolerateTornTail: true })) {
      const checked = participantEvent.safeParse(value);
      if (!checked.success) {
        throw new InputError(
          `Expected an event of a participant but received a line that is none (in ${path}, line ${line})`,
          { hint: "Answers are not edited by hand. Take the file from a backup." },
        );
      }
      events.push(checked.data);
    }
    return events;
  }

  get #runsPath(): string {
    return join(this.directory, "runs.jsonl");
  }

  get #closedPath(): string {
    return join(this.directory, "closed.json");
  }

  async #idsIn(folder: string): Promise<string[]> {
    const names = await namesIn(join(this.directory, folder));
    return names
      .map((name) => name.replace(/\.jsonl?$/, ""))
      .filter((id) => participantId.test(id));
  }

  #pathOf(participant: string): string {
    return join(this.directory, "participants", `${checkedId(participant)}.jsonl`);
  }

  #draftsPath(participant: string): string {
    return join(this.directory, "drafts", `${checkedId(participant)}.json`);
  }

  #outsidePath(participant: string): string {
    return join(this.directory, "outside-ids", `${checkedId(participant)}.json`);
  }
}

/** Participant in whose order a change is stored; changes that are nobody's have an order, too. */
const participantOf = (change: StudyChange): string => {
  switch (change.change) {
    case "admitted":
      return change.participant.id;
    case "event":
    case "drafts":
    case "removed":
      return change.participant ?? "";
    case "closed":
      return "";
  }
};

function checkedId(participant: string): string {
  if (participantId.test(participant)) return participant;
  throw new InputError(`Expected a participant such as p-abcdefgh but received ${participant}`);
}

/** The line of a file that has one; undefined where there is no such file. */
async function onlyLineOf<Output>(
  path: string,
  schema: z.ZodType<Output>,
): Promise<Output | undefined> {
  const [line] = await linesOf(path, schema);
  return line;
}

/** The lines of a file, each checked; none where there is no such file. */
async function linesOf<Output>(path: string, schema: z.ZodType<Output>): Promise<Output[]> {
  const values: Output[] = [];
  // A file that may not be read is not absent.
  if ((await access(path).then(() => true, absent(path))) === undefined) return values;
  for (const { line, value } of await readJsonLinesWhole(path, { tolerateTornTail: true })) {
    const checked = schema.safeParse(value);
    if (!checked.success) {
      throw new InputError(
        `Expected line ${line} of ${path} as study wrote it but it was edited or damaged`,
        {
          hint: "Restore the file; a study's files are not edited by hand.",
        },
      );
    }
    values.push(checked.data);
  }
  return values;
}
