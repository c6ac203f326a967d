import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generatedRun } from "../../test/support/generated-run.js";
import { noPostgres, PostgresServer } from "../../test/support/postgres-server.js";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
import { openDocuments, openStore, placeIn } from "../files/open-store.js";
import { withBlobs } from "../files/postgres/address.js";
import { copyRun } from "../runs/copy-run.js";
import type { ItemPage, PairPage, RunDetail, RunList } from "./api.js";
import { studio } from "./studio.js";

const signal = new AbortController().signal;

describe.skipIf(noPostgres !== undefined)(`a studio over a store ${noPostgres ?? ""}`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server?.stop());

  /** The same run in a folder and in a database, with its images in it or on a disk. */
  async function shown({ onDisk = false } = {}) {
    const root = await temporaryDirectory();
    const { directory, images } = await generatedRun(join(root, "runs/generated"), {
      images: 40,
      people: true,
    });
    for (const [name, text] of [
      ["report.html", "<p>"],
      ["verdict.json", JSON.stringify({ verdict: ["A is better"] })],
    ] as const) {
      await openDocuments(directory).write(name, text);
    }
    const database = await server.newDatabase();
    const disk = join(root, "runs");
    const store = onDisk ? withBlobs(database, `file://${disk}`) : database;
    const from = await openStore(directory);
    const to = await openStore(placeIn(store, "generated"), { copyOf: from.recipe });
    await copyRun(from, to, { signal });
    const documents = openDocuments(placeIn(store, "generated"));
    await documents.write("report.html", "<p>");
    await documents.write("verdict.json", JSON.stringify({ verdict: ["A is better"] }));
    const files = await temporaryDirectory();
    const inFolder = studio({ root: join(root, "runs") });
    const inStore = studio({ root: files, shown: "files", store });
    const asked = (app: typeof inStore) => async (path: string) =>
      app.request(`http://localhost/api${path}`);
    return { images, store, database, folder: asked(inFolder), stored: asked(inStore) };
  }

  test("answers as one over a folder with the same runs does", async () => {
    const { images, folder, stored } = await shown();
    const first = (await (await folder("/runs/generated/items?limit=3")).json()) as ItemPage;
    await stored("/runs/generated/items?limit=1");
    const painted = images.find((one) => one.status === "done");
    const pairs = (await (await folder("/runs/generated/pairs")).json()) as PairPage;
    expect(pairs.pairs.length).toBeGreaterThan(5);
    const addresses = [
      "/runs/generated/items?limit=100",
      "/runs/generated/items?sort=vqa-score&order=asc&limit=9",
      "/runs/generated/items?sort=disagreement",
      "/runs/generated/items?domain=animals&text=1",
      "/runs/generated/items?reason=timeout",
      "/runs/generated/pairs?limit=50",
      "/runs/generated/overview",
      "/runs/generated/audit",
      "/compare?run=generated",
      "/cards?from=run:generated",
      ...first.items.flatMap(({ key }) => [
        `/runs/generated/items/${key}`,
        `/runs/generated/records/${key}`,
      ]),
      "/runs/generated/items/nothing",
      "/runs/elsewhere",
    ];
    for (const address of addresses) {
      const [expected, answer] = await Promise.all([folder(address), stored(address)]);
      expect(answer.status, address).toBe(expected.status);
      const [one, other] = [await expected.text(), await answer.text()];
      expect(withoutPlace(other), address).toBe(withoutPlace(one));
    }
    if (painted?.status !== "done") throw new Error("Expected an image");
    for (const query of ["", "?width=128"]) {
      const address = `/runs/generated/images/${painted.image}${query}`;
      const [one, other] = await Promise.all([folder(address), stored(address)]);
      expect(other.status).toBe(200);
      expect(Buffer.from(await other.arrayBuffer())).toEqual(Buffer.from(await one.arrayBuffer()));
    }
  });

  test("lists runs with their state and verdict, and names them as commands do, without a password", async () => {
    const { stored, database } = await shown();
    const list = await stored("/runs");
    const text = await list.text();
    expect(text).not.toContain(PostgresServer.password);
    const address = database.replace(`:${PostgresServer.password}`, "");
    expect(JSON.parse(text) satisfies RunList).toEqual({
      runs: [
        {
          id: "generated",
          name: "generated",
          state: "finished",
          verdict: "A is better",
          report: "/reports/generated/report.html",
          changed: expect.any(String),
        },
      ],
      directory: address,
    });
    const detail = (await (await stored("/runs/generated")).json()) as RunDetail;
    expect(detail).toMatchObject({ path: `${address}/generated`, hasReport: true });
    const files = await stored("/files");
    expect(await files.json()).toEqual({ files: [], directory: "files" });
  });

  test("shows one run of it, and hands out images of a shared disk", async () => {
    const { images, store } = await shown({ onDisk: true });
    const app = studio({
      root: await temporaryDirectory(),
      shown: "files",
      store: placeIn(store, "generated"),
    });
    const { runs } = (await (await app.request("http://localhost/api/runs")).json()) as RunList;
    expect(runs).toMatchObject([{ id: ".run", name: "generated" }]);
    const painted = images.find((one) => one.status === "done");
    if (painted?.status !== "done") throw new Error("Expected an image");
    const answer = await app.request(`http://localhost/api/runs/.run/images/${painted.image}`);
    expect(answer.status).toBe(200);
  });

  test("says that the store is away, and shows its runs once it is back", async () => {
    const { stored } = await shown();
    await server.kill();
    const away = stored("/runs");
    await server.begin();
    expect((await away).status).toBe(200);
    const nowhere = studio({
      root: await temporaryDirectory(),
      store: "postgres://nobody@127.0.0.1:1/none",
    });
    const answer = await nowhere.request("http://localhost/api/runs");
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ error: { code: "store" } });
  });
});

/** Masks differences of homes: where the run lies, and where in it a record does. */
const withoutPlace = (text: string): string =>
  text
    .replace(/postgres:\/\/[^\s",]*\/generated/g, "PLACE")
    .replace(/(?<![\w:])\/[^\s",]*\/generated/g, "PLACE")
    // A folder has the image in a file, a database has it under its hash.
    .replace(/PLACE\/blobs\/..\/(.{12})[^,]*,/g, "$1… in the run's store,");
