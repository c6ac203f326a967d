import { resolve } from "node:path";
import { InputError, TouchstoneError } from "../../core/errors.js";
import { canonicalJson, type Json } from "../../core/json.js";
import type { Hash, Key } from "../../core/keys.js";
import type { BlobStore, DocumentStore, TruthStore } from "../../core/record-store.js";
import { sha256 } from "../blobs/blob-names.js";
import { mostImageBytes, readRegularFile } from "../regular-file.js";
import { placeWithin, postgresPlace } from "./address.js";
import { type Database, databaseAt } from "./database.js";

/** A run in a database: its number, once it is there. */
export interface NumberedRun {
  readonly database: Database;
  readonly place: string;
  number(): Promise<number | undefined>;
}

/** Images of a run in the database itself, or where a user's own file lies. */
export class PostgresBlobs implements BlobStore {
  readonly #run: NumberedRun;

  constructor(run: NumberedRun) {
    this.#run = run;
  }

  async write(bytes: Uint8Array, mediaType: string): Promise<Hash> {
    const hash = sha256(bytes);
    // One that was damaged is written anew.
    await this.#keep(
      `insert into touchstone.blobs (run, hash, media_type, bytes) values ($1, $2, $3, $4)
       on conflict (run, hash) do update set media_type = excluded.media_type,
         bytes = excluded.bytes, file = null where blobs.bytes is distinct from excluded.bytes`,
      [hash, mediaType, bytes],
    );
    return hash;
  }

  async refer(bytes: Uint8Array, file: string): Promise<Hash> {
    const hash = sha256(bytes);
    await this.#keep(
      `insert into touchstone.blobs (run, hash, media_type, file) values ($1, $2, '', $3)
       on conflict (run, hash) do update set file = excluded.file where blobs.bytes is null`,
      [hash, resolve(file)],
    );
    return hash;
  }

  async read(hash: Hash): Promise<Uint8Array> {
    const found = await this.#find(hash);
    const where = `in ${this.#run.place}`;
    if (found === undefined) {
      throw new InputError(`Expected the image ${hash} ${where} but it is not there`, {
        hint: "Was the run copied whole? touchstone run copy goes on with a copy.",
      });
    }
    const { bytes, file } = found;
    const content = bytes ?? (await readRegularFile(file ?? "", { mostBytes: mostImageBytes }));
    const received = sha256(content);
    if (received === hash) return content;
    throw new InputError(`Expected bytes with SHA-256 ${hash} ${where} but received ${received}`, {
      hint: "They were changed or damaged since they were written.",
    });
  }

  async problemOf(hash: Hash): Promise<string | undefined> {
    return problem(() => this.read(hash));
  }

  async addressOf(hash: Hash): Promise<string | undefined> {
    return (await this.#find(hash, "null::bytea as bytes"))?.file ?? undefined;
  }

  async #find(hash: Hash, bytes = "bytes") {
    const run = await this.#run.number();
    if (run === undefined) return undefined;
    const [found] = await this.#run.database.rows<{
      bytes: Uint8Array | null;
      file: string | null;
    }>(`select ${bytes}, file from touchstone.blobs where run = $1 and hash = $2`, [run, hash]);
    return found;
  }

  async #keep(text: string, values: (string | Uint8Array)[]): Promise<void> {
    await this.#run.database.rows(text, [await numberOf(this.#run), ...values]);
  }
}

/** True contents of pictures, by the key of the image's record. */
export class PostgresTruths implements TruthStore {
  readonly #run: NumberedRun;

  constructor(run: NumberedRun) {
    this.#run = run;
  }

  async write(image: Key, truth: Json): Promise<void> {
    await this.#run.database.rows(
      `insert into touchstone.truths (run, key, truth) values ($1, $2, $3)
       on conflict (run, key) do update set truth = excluded.truth`,
      [await numberOf(this.#run), image, canonicalJson(truth)],
    );
  }

  async read(image: Key): Promise<Json | undefined> {
    const [found] = await this.#select("truth", "and key = $2", [image]);
    return found === undefined ? undefined : (JSON.parse(found.truth) as Json);
  }

  async isEmpty(): Promise<boolean> {
    return (await this.#select("''as truth", "limit 1", [])).length === 0;
  }

  async problemOf(image: Key): Promise<string | undefined> {
    return problem(async () => {
      if ((await this.read(image)) !== undefined) return;
      throw new InputError(`Expected a truth in ${this.#run.place} but it is not there`);
    });
  }

  async #select(what: string, which: string, values: string[]) {
    const run = await this.#run.number();
    if (run === undefined) return [];
    return this.#run.database.rows<{ truth: string }>(
      `select ${what} from touchstone.truths where run = $1 ${which}`,
      [run, ...values],
    );
  }
}

/** Reports and tables of a place, by name. */
export class PostgresDocuments implements DocumentStore {
  readonly #place: string;
  readonly #run: string;
  readonly #database: Database;

  constructor(place: string) {
    const { connection, run, shown } = postgresPlace(place);
    this.#database = databaseAt(connection);
    this.#run = run;
    this.#place = shown;
  }

  async has(name: string): Promise<boolean> {
    return (await this.read(name)) !== undefined;
  }

  async read(name: string): Promise<string | undefined> {
    if (!(await this.#database.hasTables())) return undefined;
    const [found] = await this.#database.rows<{ text: string }>(
      "select text from touchstone.documents where place = $1 and name = $2",
      [this.#run, name],
    );
    return found?.text;
  }

  async write(name: string, text: string): Promise<void> {
    await this.#database.prepare();
    await this.#database.rows(
      `insert into touchstone.documents (place, name, text) values ($1, $2, $3)
       on conflict (place, name) do update set text = excluded.text`,
      [this.#run, name, text],
    );
  }

  addressOf(name: string): string {
    return placeWithin(this.#place, name);
  }
}

async function numberOf(run: NumberedRun): Promise<number> {
  const number = await run.number();
  if (number === undefined) throw new Error(`Expected a run in ${run.place} but there is none`);
  return number;
}

async function problem(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    // Of a database that is away nothing follows about what is kept in it.
    if (error instanceof TouchstoneError && error.code === "store") throw error;
    return error instanceof Error ? error.message : String(error);
  }
}
