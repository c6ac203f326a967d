import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openStore, placeIn } from "../src/files/open-store.js";
import { withBlobs } from "../src/files/postgres/address.js";
import { brokenImages } from "../src/runs/broken-images.js";
import { copyRun } from "../src/runs/copy-run.js";
import { openStudy, StudyService, studyApp } from "../src/studies/index.js";
import { answerStudy } from "./support/answer-study.js";
import { generatedRun } from "./support/generated-run.js";
import { noPostgres, PostgresServer } from "./support/postgres-server.js";
import { noS3, S3Server, setVariables } from "./support/s3-server.js";
import { temporaryDirectory } from "./support/temporary-directory.js";
import { touchstoneHere } from "./support/touchstone-here.js";

const missing = noPostgres ?? noS3;
const bucket = "tests-of-stores";
const create = { command: "touchstone demo", seed: 1, software: "1.0.0" };

/** What a folder holds: the bytes of each file, by its path. */
async function bytesBelow(directory: string): Promise<Record<string, string>> {
  const found = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const bytes = await Promise.all(paths.map((path) => readFile(path, "base64")));
  return Object.fromEntries(
    paths.map((path, at) => [path.slice(directory.length), bytes[at] ?? ""]),
  );
}

describe.skipIf(missing !== undefined)(`runs with images on S3 ${missing ?? ""}`, () => {
  let postgres: PostgresServer;
  let s3: S3Server;
  let database: string;
  beforeAll(async () => {
    [postgres, s3] = await Promise.all([PostgresServer.start(), S3Server.start()]);
    await s3.newBucket(bucket);
    database = await postgres.newDatabase();
  });
  afterAll(async () => {
    await s3?.stop();
    await postgres?.stop();
  });

  async function touchstone(words: readonly string[], workingDirectory: string) {
    return touchstoneHere(words, { workingDirectory });
  }

  test("a run copied there and back has the same bytes; a copy goes on, and nothing goes up twice", async () => {
    const directory = await temporaryDirectory();
    await mkdir(join(directory, "run"));
    await generatedRun(join(directory, "run"), { images: 24, metrics: 1 });
    const blobs = `s3://${bucket}/copies`;
    const place = placeIn(database, "copied");

    const from = await openStore(join(directory, "run"));
    const stopped = new AbortController();
    const first = await copyRun(
      from,
      await openStore(withBlobs(place, blobs), { copyOf: from.recipe }),
      {
        signal: stopped.signal,
        onProgress: ({ step }) => step.startsWith("paint") && stopped.abort(),
      },
    );
    expect(first.isWhole).toBe(false);

    const again = await touchstone(["run", "copy", "run", place, "--blobs", blobs], directory);
    expect(again.code, again.stderr).toBe(0);
    // The folder has files of images that were refused, too, which no record names.
    const names = await s3.names(bucket);
    const folder = Object.entries(await bytesBelow(join(directory, "run/blobs"))).filter(([name]) =>
      names.includes(`copies${name}`),
    );
    expect(names).toHaveLength(22);
    expect(folder).toHaveLength(22);
    const rows = await postgres.ask(database, "select 1 from touchstone.blobs");
    expect(rows).toEqual([]);
    const third = await touchstone(["run", "copy", "run", place, "--json"], directory);
    expect(JSON.parse(third.stdout)).toMatchObject({ records: 0, images: 0 });

    // Where its images lie stands in the store: nobody names it again.
    const stored = await openStore(place);
    expect(await brokenImages(stored.blobs, stored.ofType("image"))).toEqual([]);
    const back = await touchstone(["run", "copy", place, "back"], directory);
    expect(back.code, back.stderr).toBe(0);
    expect(await bytesBelow(join(directory, "back/blobs"))).toEqual(Object.fromEntries(folder));
    for (const part of ["records"]) {
      expect(await bytesBelow(join(directory, "back", part)), part).toEqual(
        await bytesBelow(join(directory, "run", part)),
      );
    }
    for (const { stdout, stderr } of [again, third, back]) {
      expect(`${stdout}${stderr}`).not.toContain("tests-only-secret");
    }
  });

  test("a flag overrides where images are read from, and is not kept; the database's own are not elsewhere", async () => {
    const place = placeIn(database, "moved");
    const run = await openStore(withBlobs(place, `s3://${bucket}/before`), { create });
    const writer = await run.startWriting([]);
    const hash = await writer.blobs.write(new Uint8Array([7]), "image/png");
    await writer.close();
    const name = `${hash.slice(0, 2)}/${hash}.png`;
    await s3.put(bucket, `after/${name}`, await s3.get(bucket, `before/${name}`));
    await s3.put(bucket, `before/${name}`, new Uint8Array([8]));
    const moved = await openStore(withBlobs(place, `s3://${bucket}/after`));
    expect(await moved.blobs.problemOf(hash)).toBeUndefined();
    expect(await (await openStore(place)).blobs.problemOf(hash)).toContain(`before/${name}`);

    const own = placeIn(database, "in-database");
    await (await (await openStore(own, { create })).startWriting([])).close();
    await expect(openStore(withBlobs(own, `s3://${bucket}/x`))).rejects.toThrow(
      /Expected no --blobs for .*in-database: its images lie in the database/,
    );
  });

  test("a run within a run keeps its images with it, and a shared folder has to be there", async () => {
    const directory = await temporaryDirectory();
    const shared = join(directory, "shared");
    const place = placeIn(database, "demo");
    const outer = await openStore(withBlobs(place, `file://${shared}`), { create });
    await (await outer.startWriting([])).close();
    const inner = await openStore(placeIn(place, "chapter"), { create });
    const writer = await inner.startWriting([]);
    const bytes = new Uint8Array([1]);
    // A disk that is not mounted is not written beneath, and its images are not taken for gone.
    await expect(writer.blobs.write(bytes, "image/png")).rejects.toMatchObject({ code: "store" });
    await expect(inner.blobs.problemOf(create.command as never)).rejects.toMatchObject({
      code: "store",
    });
    await mkdir(shared);
    const hash = await writer.blobs.write(bytes, "image/png");
    await writer.close();
    expect(Object.keys(await bytesBelow(shared))).toEqual([`/${hash.slice(0, 2)}/${hash}.png`]);
    const file = await (await openStore(placeIn(place, "chapter"))).blobs.addressOf(hash);
    expect(file).toBe(join(shared, hash.slice(0, 2), `${hash}.png`));
  });

  test("a command with --store and --blobs makes a run; --blobs goes with no folder", async () => {
    const directory = await temporaryDirectory();
    const line = ["build", "--prompts", "4", "--store", database, "--run", "built"];
    const built = await touchstone([...line, "--blobs", `s3://${bucket}/built`], directory);
    expect(built.code, built.stderr).toBe(0);
    expect(built.stdout).toContain(`--blobs s3://${bucket}/built`);
    const [row] = await postgres.ask(
      database,
      "select blobs, recipe from touchstone.runs where name = 'built'",
    );
    expect(row).toMatchObject({ blobs: `s3://${bucket}/built` });
    // Where its images lie is no part of what the run is.
    expect(Object(row).recipe).not.toContain("s3://");
    for (const words of [
      ["build", "--prompts", "4", "--run", "folder", "--blobs", "s3://images"],
      ["run", "copy", "folder", "other", "--blobs", "s3://images"],
    ]) {
      const refused = await touchstone(words, directory);
      expect(refused.code).toBe(2);
      expect(refused.stderr).toMatch(/Expected (--store|a database)/);
    }
    const secret = await touchstone([...line, "--blobs", "s3://key:very-secret@images"], directory);
    expect(secret.code).toBe(2);
    expect(secret.stderr).not.toContain("very-secret");
  });

  test("a database of an earlier version is read, and grows when a run is written to", async () => {
    const old = await postgres.newDatabase();
    const place = placeIn(old, "old");
    const writer = await (await openStore(place, { create })).startWriting([]);
    const hash = await writer.blobs.write(new Uint8Array([1]), "image/png");
    await writer.close();
    await postgres.ask(old, "alter table touchstone.runs drop column blobs");
    const reader = await openStore(place);
    expect(await reader.blobs.problemOf(hash)).toBeUndefined();
    // Another process, which does not know that there are tables.
    const fresh = `${place}?application_name=fresh`;
    const other = await openStore(
      withBlobs(`${placeIn(old, "new")}?application_name=fresh`, "s3://any-bucket"),
      {
        create,
      },
    );
    await (await other.startWriting([])).close();
    await (await (await openStore(fresh, { create })).startWriting([])).close();
    const rows = await postgres.ask(old, "select name, blobs from touchstone.runs order by name");
    expect(rows).toEqual([
      { name: "new", blobs: "s3://any-bucket" },
      { name: "old", blobs: null },
    ]);
  });

  test("a study's images lie there as browsers receive them, and nothing of a person; away is 503", async () => {
    const directory = await temporaryDirectory();
    const models = ["secret-model", "other-model"];
    for (const [at, model] of models.entries()) {
      await sharp(Buffer.alloc(8 * 8 * 3, 40 * at), { raw: { width: 8, height: 8, channels: 3 } })
        .withExif({ IFD0: { Artist: "who-painted-it" } })
        .jpeg()
        .toFile(join(directory, `${model}.jpg`));
    }
    const rows = models.map((model) => `a nurse,${model},${model}.jpg`);
    await writeFile(join(directory, "images.csv"), ["query,model,image", ...rows, ""].join("\n"));
    const blocks = [{ protocol: "mental-image", from: "images.csv", ratingsPerItem: 2 }];
    const config = { title: "Nurses", open: true, consent: "I agree.", blocks };
    await writeFile(join(directory, "study.yaml"), JSON.stringify(config));
    const create = ["study", "create", "study.yaml", "--run"];
    const store = ["--store", database];
    const made = await touchstone(
      [...create, "study", ...store, "--blobs", `s3://${bucket}/study`],
      directory,
    );
    expect(made, made.stderr).toMatchObject({ code: 0 });

    const ours = async () => (await s3.names(bucket)).filter((name) => name.startsWith("study/"));
    const before = await ours();
    expect(before).toHaveLength(2);
    const contents = async () => {
      const all = await Promise.all(before.map((name) => s3.get(bucket, name)));
      return Buffer.concat(all).toString("latin1");
    };
    for (const name of before) expect(name).toMatch(/^study\/([0-9a-f]{2})\/\1[0-9a-f]{62}\.webp$/);
    expect(await contents()).not.toMatch(/secret-model|who-painted-it/);
    expect(await postgres.ask(database, "select from touchstone.log_blobs")).toEqual([]);

    // Any server finds them by the study alone. What people draw and say goes to the database.
    const place = placeIn(database, "study");
    const service = await StudyService.open(await openStudy(place));
    const sketch = [[[0.5, 0.25, 1, 0]]];
    const answer = () => ({ words: "in white", sketch, comments: {} });
    const { participant, session } = await answerStudy(service, { id: "anna", answer });
    const entries = "select text from touchstone.log_entries";
    expect(JSON.stringify(await postgres.ask(database, entries))).toContain("0.25");
    const erase = ["study", "erase", "study", ...store, "--participant", participant];
    expect(await touchstone(erase, directory)).toMatchObject({ code: 0 });
    expect(JSON.stringify(await postgres.ask(database, entries))).not.toContain("0.25");
    expect(await ours()).toEqual(before);
    await expect(service.next(session)).rejects.toMatchObject({ code: "withdrawn" });

    // Copied out, and into another prefix, the images are the same.
    const out = await touchstone(["study", "copy", place, "out"], directory);
    expect(out, out.stderr).toMatchObject({ code: 0 });
    const files = Object.keys(await bytesBelow(join(directory, "out/images")));
    expect(files.map((name) => `study${name}`)).toEqual(before);
    const copy = [...["study", "copy", "out", placeIn(database, "copy")], "--blobs"];
    expect(await touchstone([...copy, `s3://${bucket}/copied`], directory)).toMatchObject({
      code: 0,
    });
    const copied = (await s3.names(bucket)).filter((name) => name.startsWith("copied/"));
    expect(copied).toEqual(before.map((name) => name.replace("study/", "copied/")));

    const refused = await touchstone([...create, "x", "--blobs", "s3://images"], directory);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("a database") });
    const own = await touchstone([...create, "own", ...store], directory);
    expect(own, own.stderr).toMatchObject({ code: 0 });
    await expect(openStudy(withBlobs(placeIn(database, "own"), "s3://images"))).rejects.toThrow(
      /its images lie in the database/,
    );

    const restore = setVariables({ AWS_ENDPOINT_URL: "http://127.0.0.1:1" });
    onTestFinished(restore);
    const away = await StudyService.open(await openStudy(place));
    const ben = await away.join({ external: { source: "test", id: "ben" } });
    await away.consent(ben.session, { version: away.home.study.consent.version, agreed: true });
    const columns = Object((await away.next(ben.session))?.item).columns;
    const reply = await studyApp(away, { whoAsks: () => "here" }).request(
      `/api/images/${columns[0].images[0]}`,
      { headers: { Authorization: `Bearer ${ben.session}` } },
    );
    expect([reply.status, reply.headers.get("retry-after")]).toEqual([503, "2"]);
  });
});
