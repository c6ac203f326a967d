import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { withBlobs } from "../src/files/postgres/address.js";
import { openStudy } from "../src/studies/home/open-study.js";
import { studyApp } from "../src/studies/server/study-app.js";
import { StudyService } from "../src/studies/server/study-service.js";
import { answerStudy } from "./support/answer-study.js";
import { noPostgres, PostgresServer } from "./support/postgres-server.js";
import { noS3, S3Server, setVariables } from "./support/s3-server.js";
import { temporaryDirectory } from "./support/temporary-directory.js";
import { touchstoneHere } from "./support/touchstone-here.js";

const missing = noPostgres ?? noS3;
const bucket = "tests-of-stores";

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

describe.skipIf(missing !== undefined)(`studies with images on S3 ${missing ?? ""}`, () => {
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
    const place = `${database}/study`;
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
    const copy = [...["study", "copy", "out", `${database}/copy`], "--blobs"];
    expect(await touchstone([...copy, `s3://${bucket}/copied`], directory)).toMatchObject({
      code: 0,
    });
    const copied = (await s3.names(bucket)).filter((name) => name.startsWith("copied/"));
    expect(copied).toEqual(before.map((name) => name.replace("study/", "copied/")));

    const refused = await touchstone([...create, "x", "--blobs", "s3://images"], directory);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("a database") });
    const own = await touchstone([...create, "own", ...store], directory);
    expect(own, own.stderr).toMatchObject({ code: 0 });
    await expect(openStudy(withBlobs(`${database}/own`, "s3://images"))).rejects.toThrow(
      /\bimages\b.*\bdatabase\b/,
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
