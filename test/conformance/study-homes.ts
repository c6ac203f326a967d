import { join } from "node:path";
import { noPostgres, PostgresServer } from "../support/postgres-server.js";
import { temporaryDirectory } from "../support/temporary-directory.js";

/** A kind of place where studies live. */
export interface Home {
  readonly name: string;
  /** Why it can't be tried here; undefined where it can. */
  readonly missing: string | undefined;
  /** What it needs to stand while its tests run; resolves with what ends it. */
  start(): Promise<() => Promise<void>>;
  /** A place where no study stands yet, as `newStudy` takes it. */
  newPlace(): Promise<string>;
}

const folder: Home = {
  name: "folder",
  missing: undefined,
  start: async () => async () => {},
  newPlace: async () => join(await temporaryDirectory(), "study"),
};

let database = "";
let studies = 0;

const postgres: Home = {
  name: "PostgreSQL database",
  missing: noPostgres,
  async start() {
    const started = await PostgresServer.start();
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
  newPlace: async () => `${database}/studies/${studies++}`,
};

/** Every home of studies; another one is one more line. */
export const homes: readonly Home[] = [folder, postgres];
