import { z } from "zod";
import { InputError } from "../../core/errors.js";
import type { Hash } from "../../core/keys.js";
import { openBlobs } from "../../files/blobs/s3-blobs.js";
import { openLog } from "../../files/open-store.js";
import { blobsOf } from "../../files/postgres/address.js";
import type { LogEntry, SharedLog } from "../../files/shared-log.js";
import type { Study } from "../study.js";
import {
  type FrozenStudy,
  frozenName,
  frozenTexts,
  newSecrets,
  readFrozenStudy,
} from "./frozen-study.js";
import { participantEvent } from "./participant-event.js";
import { draftsSchema, outsideSchema, removalSchema, type StudyChange } from "./study-change.js";
import { type ChangesUpTo, type NotedRun, notedRunSchema, type StudyHome } from "./study-home.js";

/** Where the runs that took answers over are noted. */
const runsName = "runs.json";
/** Where it stands in which bucket or on which disk the images lie; they lie in the database without. */
const imagesName = "images";
const mediaType = "image/webp";
/** Who waits for an image is told soon that its home is away, and asks again; in milliseconds. */
const patience = { longestWait: 2_000, silentFor: 5_000 };

/**
 * Schema of a log's entry. An outside id stands beside the consent of its participant, apart from
 * the entries.
 */
const entrySchema = z.union([
  participantEvent,
  z.object({ event: z.literal("drafts"), participant: z.string(), drafts: draftsSchema }),
  z.object({ event: z.literal("removed"), removal: removalSchema }),
  z.object({ event: z.literal("closed"), at: z.int() }),
]);

export const hasStudyLog = async (place: string): Promise<boolean> =>
  (await (await openLog(place)).text(frozenName)) !== undefined;

/** The images of a study that is made in a database. */
export async function studyLogImages(place: string) {
  const at = blobsOf(place);
  const blobs = at === undefined ? (await openLog(place)).blobs : openBlobs(at, { mediaType });
  return { write: (bytes: Uint8Array): Promise<Hash> => blobs.write(bytes, mediaType) };
}

/** Writes a study into a database; its images stand where the place says before. */
export async function createStudyLog(
  place: string,
  study: Study,
  secrets: Omit<FrozenStudy, "study"> = newSecrets(),
): Promise<void> {
  const log = await openLog(place);
  const at = blobsOf(place) ?? "";
  // One that was killed while it was made may have said otherwise.
  if (at !== ((await log.text(imagesName)) ?? "")) await log.write(imagesName, at);
  for (const [name, text] of frozenTexts({ study, ...secrets })) await log.write(name, text);
}

/** @throws InputError where there is no study, or it was changed by hand. */
export async function openStudyLog(place: string): Promise<StudyLog> {
  const log = await openLog(place);
  const frozen = await readFrozenStudy({
    read: (name) => log.text(name),
    placeOf: (name) => (name === frozenName ? log.place : `${log.place} (${name})`),
  });
  return new StudyLog(log, frozen, await imagesOf(log, blobsOf(place)));
}

/** The images of a study, where it says or this process was told that they lie. */
async function imagesOf(log: SharedLog, told: string | undefined): Promise<SharedLog["blobs"]> {
  const kept = (await log.text(imagesName)) ?? "";
  if (kept !== "") return openBlobs(told ?? kept, { mediaType, ...patience });
  if (told === undefined) return log.blobs;
  throw new InputError(`Expected no --blobs for ${log.place}: its images lie in the database`, {
    hint: "A copy of the study may keep them elsewhere: touchstone study copy FROM TO --blobs s3://…",
  });
}

/**
 * A study in a database: an entry for each thing that somebody did. Any number of servers read and append
 * to it, one at a time.
 */
export class StudyLog implements StudyHome {
  readonly isShared = true;
  readonly place: string;
  readonly study: Study;
  readonly secret: string;
  readonly adminToken: string;
  readonly #log: SharedLog;
  readonly #images: SharedLog["blobs"];

  constructor(
    log: SharedLog,
    { study, secret, adminToken }: FrozenStudy,
    images: SharedLog["blobs"],
  ) {
    this.#log = log;
    this.#images = images;
    this.place = log.place;
    this.study = study;
    this.secret = secret;
    this.adminToken = adminToken;
  }

  image(hash: Hash): Promise<Uint8Array> {
    return this.#images.read(hash);
  }

  async changes(since: number): Promise<ChangesUpTo> {
    const { entries, upTo } = await this.#log.after(since);
    return { changes: entries.map((entry) => this.#changeOf(entry)), upTo };
  }

  turn(
    since: number,
    decide: (others: readonly StudyChange[]) => readonly StudyChange[],
  ): Promise<number> {
    return this.#log.turn(since, (others) => {
      const changes = decide(others.map((entry) => this.#changeOf(entry)));
      const remove = changes.flatMap((change) =>
        change.change === "removed" && change.participant !== undefined
          ? [change.participant, draftsOwner(change.participant)]
          : [],
      );
      const latest = new Map(
        changes.flatMap((one) => (one.change === "drafts" ? [[one.participant, one]] : [])),
      );
      const append = changes
        .filter((one) => one.change !== "drafts" || latest.get(one.participant) === one)
        .flatMap(entriesOf);
      return { replace: [...latest.keys()].map(draftsOwner), append, remove };
    });
  }

  async soleServer(): Promise<undefined> {}

  async beginServing(): Promise<void> {}

  async noteServing(): Promise<void> {}

  async endServing(): Promise<void> {}

  async mend(): Promise<void> {}

  async noteRun(noted: NotedRun): Promise<void> {
    const known = await this.runs();
    if (known.some(({ run, block }) => run === noted.run && block === noted.block)) return;
    await this.#log.write(runsName, JSON.stringify([...known, noted]));
  }

  async runs(): Promise<readonly NotedRun[]> {
    const text = await this.#log.text(runsName);
    return text === undefined ? [] : z.array(notedRunSchema).parse(JSON.parse(text));
  }

  reclaim(): Promise<readonly string[]> {
    return this.#log.reclaim();
  }

  #changeOf({ owner, text, aside }: LogEntry): StudyChange {
    const checked = entrySchema.safeParse(JSON.parse(text));
    if (!checked.success) {
      throw new InputError(`Expected entries of a study in ${this.place} but one is none`, {
        hint: "Does a newer version of touchstone serve it, too? All servers need the same one.",
      });
    }
    const entry = checked.data;
    if (entry.event === "removed") return { change: "removed", removal: entry.removal };
    if (entry.event === "drafts") {
      return { change: "drafts", participant: entry.participant, drafts: entry.drafts };
    }
    if (entry.event === "closed") return { change: "closed", at: entry.at };
    const id = owner ?? "";
    if (entry.event !== "consent") return { change: "event", participant: id, event: entry };
    const outside = aside === undefined ? undefined : outsideSchema.parse(JSON.parse(aside));
    return { change: "admitted", participant: { id, events: [entry], outside } };
  }
}

/** Whose a person's drafts are, so that they are removed without their answers. */
const draftsOwner = (participant: string): string => `${participant} drafts`;

function entriesOf(change: StudyChange): LogEntry[] {
  switch (change.change) {
    case "admitted": {
      const { id, events, outside, drafts } = change.participant;
      const entries = events.map((event) => ({
        owner: id,
        text: JSON.stringify(event),
        ...(event.event === "consent" && outside !== undefined
          ? { aside: JSON.stringify(outside) }
          : {}),
      }));
      return drafts === undefined
        ? entries
        : [...entries, ...entriesOf({ change: "drafts", participant: id, drafts })];
    }
    case "event":
      return [{ owner: change.participant, text: JSON.stringify(change.event) }];
    case "drafts": {
      const { participant, drafts } = change;
      const text = JSON.stringify({ event: "drafts", participant, drafts });
      return [{ owner: draftsOwner(participant), text }];
    }
    case "removed":
      return [{ owner: null, text: JSON.stringify({ event: "removed", removal: change.removal }) }];
    case "closed":
      return [{ owner: null, text: JSON.stringify({ event: "closed", at: change.at }) }];
  }
}
