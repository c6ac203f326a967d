import { appendFile, readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Hash } from "../../src/core/keys.js";
import { placeIn } from "../../src/files/open-store.js";
import { postgresPlace, withBlobs } from "../../src/files/postgres/address.js";
import { noPostgres, PostgresServer } from "../support/postgres-server.js";
import { noS3, S3Server } from "../support/s3-server.js";
import { temporaryDirectory } from "../support/temporary-directory.js";

/** A kind of place where runs live, and what can befall it. */
export interface Home {
  readonly name: string;
  /** Why it can't be tried here; undefined where it can. */
  readonly missing: string | undefined;
  /** What it needs to stand while its tests run; resolves with what ends it. */
  start(): Promise<() => Promise<void>>;
  /** A place where no run stands yet, as `openStore` takes it. */
  newPlace(): Promise<string>;
  /** Cuts the last record that a killed worker appended to a step, as a power cut may. */
  tear(place: string, step: string): Promise<void>;
  /** Changes the bytes that are kept under a hash. */
  damage(place: string, hash: Hash): Promise<void>;
  /** Changes something in a finished step's records by hand. */
  edit(place: string, step: string): Promise<void>;
}

const folder: Home = {
  name: "folder",
  missing: undefined,
  start: async () => async () => {},
  newPlace: async () => join(await temporaryDirectory(), "run"),
  async tear(place, step) {
    const path = await fileOf(join(place, "records"), (name) => isSegment(name, step));
    const bytes = await readFile(path);
    const before = bytes.lastIndexOf(0x0a, bytes.length - 2);
    await truncate(path, Math.ceil((before + bytes.length) / 2));
  },
  async damage(place, hash) {
    const path = await fileOf(join(place, "blobs", hash.slice(0, 2)), (name) =>
      name.startsWith(hash),
    );
    await appendFile(path, "!");
  },
  async edit(place, step) {
    const path = await fileOf(join(place, "records"), (name) => name.endsWith(`-${step}.jsonl`));
    await writeFile(path, (await readFile(path, "utf8")).replace('"value":0.5', '"value":0.6'));
  },
};

const isSegment = (name: string, step: string) =>
  new RegExp(`^\\d+-${step}\\.[0-9a-z]+\\.jsonl$`).test(name);

async function fileOf(directory: string, isIt: (name: string) => boolean): Promise<string> {
  const names = (await readdir(directory)).filter(isIt);
  const [name] = names;
  if (name === undefined || names.length > 1) {
    throw new Error(`Expected one file in ${directory} but found ${names.join(", ") || "none"}`);
  }
  return join(directory, name);
}

let server: PostgresServer | undefined;
let database = "";
let runs = 0;

async function ask(place: string, text: string, ...values: unknown[]): Promise<void> {
  const { run, connection } = postgresPlace(place);
  const rows = await server?.ask(connection, `${text} returning 1`, [run, ...values]);
  if (rows?.length !== 1) throw new Error(`Expected to change one row but changed ${rows?.length}`);
}

const stepOf =
  "(select s.id from touchstone.steps s join touchstone.runs r on r.id = s.run where r.name = $1 and s.name = $2)";

const postgres: Home = {
  name: "PostgreSQL database",
  missing: noPostgres,
  async start() {
    const started = await PostgresServer.start();
    server = started;
    // A place is without a password, which comes from where others come from.
    database = await started.newDatabase({ password: false });
    const before = process.env.PGPASSWORD;
    process.env.PGPASSWORD = PostgresServer.password;
    return async () => {
      await started.stop();
      if (before === undefined) delete process.env.PGPASSWORD;
      else process.env.PGPASSWORD = before;
    };
  },
  newPlace: async () => placeIn(database, `runs/${runs++}`),
  async tear(place, step) {
    // There is no half of a row: what was not acknowledged is not there.
    await ask(
      place,
      `delete from touchstone.records where step = ${stepOf}
         and seq = (select max(seq) from touchstone.records where step = ${stepOf})`,
      step,
    );
  },
  async damage(place, hash) {
    await ask(
      place,
      `update touchstone.blobs set bytes = bytes || '!'::bytea
       where run = (select id from touchstone.runs where name = $1) and hash = $2`,
      hash,
    );
  },
  async edit(place, step) {
    await ask(
      place,
      `update touchstone.records set line = replace(line, '"value":0.5', '"value":0.6')
       where step = ${stepOf} and seq = 1`,
      step,
    );
  },
};

let s3: S3Server | undefined;
let prefixes = 0;

const bucket = "tests-of-blobs";

const postgresAndS3: Home = {
  ...postgres,
  name: "PostgreSQL database with images on S3",
  missing: noPostgres ?? noS3,
  async start() {
    const [stop, started] = await Promise.all([postgres.start(), S3Server.start()]);
    s3 = started;
    await started.newBucket(bucket);
    return async () => {
      await started.stop();
      await stop();
    };
  },
  newPlace: async () => withBlobs(await postgres.newPlace(), `s3://${bucket}/runs/${prefixes++}`),
  async damage(_, hash) {
    const names = (await s3?.names(bucket)) ?? [];
    const name = names.find((one) => one.endsWith(`/${hash}.png`)) ?? "";
    const bytes = (await s3?.get(bucket, name)) ?? new Uint8Array();
    await s3?.put(bucket, name, Buffer.concat([bytes, Buffer.from("!")]));
  },
};

let disk = "";

const postgresAndDisk: Home = {
  ...postgres,
  name: "PostgreSQL database with images on a shared disk",
  async newPlace() {
    disk = await temporaryDirectory();
    return withBlobs(await postgres.newPlace(), pathToFileURL(disk).href);
  },
  async damage(_, hash) {
    await appendFile(join(disk, hash.slice(0, 2), `${hash}.png`), "!");
  },
};

/** Every home of runs; another one is one more line. */
export const homes: readonly Home[] = [folder, postgres];

/** Every home of images; where records lie makes no difference to them. */
export const imageHomes: readonly Home[] = [...homes, postgresAndS3, postgresAndDisk];
