import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, chownSync, existsSync, readdirSync } from "node:fs";
import { chmod, copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { bytesIn } from "./bytes-in.js";

const run = promisify(execFile);

/** Where the programs of PostgreSQL lie: on the path, or where Debian puts them. */
function programs(): string | undefined {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort() : [];
  const folders = [
    ...(process.env.PATH ?? "").split(delimiter),
    ...versions.reverse().map((version) => join(debian, version, "bin")),
  ];
  return folders.find((folder) =>
    ["initdb", "postgres"].every((program) => isThere(join(folder, program))),
  );
}

function isThere(path: string): boolean {
  try {
    accessSync(path);
    return true;
  } catch {
    return false;
  }
}

/** Why tests that need a PostgreSQL server are skipped here; undefined where they are not. */
export const noPostgres: string | undefined =
  programs() === undefined ? "PostgreSQL is not installed (Debian: postgresql)" : undefined;

/** PostgreSQL refuses to be run by root: nobody owns its folder then. */
const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** Goes when all tests have ended: see memory-disk.ts. */
const sharedFolder = process.env.TOUCHSTONE_TESTS_FOLDER;
/** Making one takes as long as twenty copies of it. */
let sharedCluster: Promise<void> | undefined;

/** Makes the files of a server without a database of the tests. */
async function makeCluster(data: string, bin: string): Promise<void> {
  const secret = `${data}-password`;
  await writeFile(secret, PostgresServer.password);
  await chmod(secret, 0o644);
  const known = ["-U", "tests", "-A", "scram-sha-256", "--pwfile", secret, "-E", "UTF8"];
  await run(join(bin, "initdb"), [...known, "--locale=C", "--no-sync", "-D", data], {
    ...nobody,
    cwd: dirname(data),
  });
}

/** A PostgreSQL server of the tests' own: on a free port, in a temporary folder, with a password. */
export class PostgresServer {
  readonly port: number;
  readonly #directory: string;
  readonly #bin: string;
  readonly #fsync: "on" | "off";
  #child: ChildProcess | undefined;
  #databases = 0;

  private constructor(parts: {
    port: number;
    directory: string;
    bin: string;
    fsync: "on" | "off";
  }) {
    this.port = parts.port;
    this.#fsync = parts.fsync;
    this.#directory = parts.directory;
    this.#bin = parts.bin;
  }

  static readonly password = "tests-only-secret";

  /** @param options.fsync "on" where times are measured: commits are then on the disk itself */
  static async start({ fsync = "off" }: { fsync?: "on" | "off" } = {}): Promise<PostgresServer> {
    const bin = programs();
    if (bin === undefined) throw new Error(noPostgres);
    const directory = await mkdtemp(join(tmpdir(), "touchstone-postgres-"));
    if (nobody.uid !== undefined) chownSync(directory, nobody.uid, nobody.gid);
    await chmod(directory, 0o700);
    const data = join(directory, "data");
    if (sharedFolder === undefined) await makeCluster(data, bin);
    else {
      const made = join(sharedFolder, `postgres-${process.pid}`);
      sharedCluster ??= makeCluster(made, bin);
      await sharedCluster;
      await run("cp", ["-a", made, data]);
    }
    const server = new PostgresServer({ port: await freePort(), directory, bin, fsync });
    await server.begin();
    return server;
  }

  /** Begins to serve, or again after `kill`; resolves when it answers. */
  async begin(): Promise<void> {
    const settings = {
      port: this.port,
      listen_addresses: "127.0.0.1",
      unix_socket_directories: this.#directory,
      fsync: this.#fsync,
      shared_buffers: "32MB",
      max_connections: 150,
    };
    this.#child = spawn(
      join(this.#bin, "postgres"),
      [
        ...["-D", join(this.#directory, "data")],
        ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
      ],
      { ...nobody, cwd: this.#directory, stdio: ["ignore", "ignore", "pipe"] },
    );
    const { stderr } = this.#child;
    let said = "";
    for await (const chunk of stderr ?? []) {
      said += String(chunk);
      if (said.includes("ready to accept connections")) break;
    }
    if (!said.includes("ready to accept connections")) throw new Error(said);
    stderr?.resume();
  }

  /** Ends at once, as by a power cut; `begin` recovers what was kept. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    child?.kill("SIGQUIT");
    if (child?.exitCode === null && child.signalCode === null) await once(child, "exit");
  }

  /** The address of a new database; with `password: false`, without it. */
  async newDatabase({ password = true } = {}): Promise<string> {
    const name = `tests${this.#databases++}`;
    await this.ask("postgres", `create database ${name}`);
    return this.address(name, { password });
  }

  /** From now on offers TLS by this certificate. */
  async useTls({ key, cert }: { readonly key: string; readonly cert: string }): Promise<void> {
    const files = { ssl_key_file: key, ssl_cert_file: cert };
    for (const [name, from] of Object.entries(files)) {
      const path = join(this.#directory, name);
      await copyFile(from, path);
      await chmod(path, 0o600);
      if (nobody.uid !== undefined) chownSync(path, nobody.uid, nobody.gid);
      await this.ask("postgres", `alter system set ${name} = '${path}'`);
    }
    await this.ask("postgres", "alter system set ssl = on");
    await this.ask("postgres", "select pg_reload_conf()");
    const isOn = async () => {
      const [row] = await this.ask("postgres", "show ssl");
      return Object(row).ssl === "on";
    };
    while (!(await isOn())) await pause(20);
  }

  /** The bytes of all pages that a database has on the disk. */
  async pagesOf(address: string): Promise<string> {
    const full = address.replace("tests@", `tests:${PostgresServer.password}@`);
    await this.ask(full, "checkpoint");
    const [found] = await this.ask(
      full,
      "select current_setting('data_directory') || '/' || pg_relation_filepath('pg_class') as path",
    );
    return bytesIn(dirname(Object(found).path));
  }

  address(database: string, { password = true, user = "tests" } = {}): string {
    const secret = password ? `:${PostgresServer.password}` : "";
    return `postgres://${user}${secret}@127.0.0.1:${this.port}/${database}`;
  }

  /** Asks something by hand. */
  async ask(database: string, text: string, values: unknown[] = []): Promise<unknown[]> {
    const address = /:\/\//.test(database) ? database : this.address(database);
    const client = new pg.Client({ connectionString: address });
    // Said where it is asked; an error that nobody listens to would end the process.
    client.on("error", () => {});
    await client.connect();
    try {
      return (await client.query(text, values)).rows ?? [];
    } finally {
      await client.end();
    }
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.#directory, { recursive: true, force: true });
  }
}

/** A port of this machine that nobody listens at. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("Expected a port");
  return address.port;
}
