import { join } from "node:path";
import { expect, test } from "vitest";
import { generatedRun } from "../../test/support/generated-run.js";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
import { readExcluded } from "../benchmarks/prototypicality/run-filter.js";
import { openStore } from "../files/open-store.js";
import type { PairPage } from "./api.js";
import { studio } from "./studio.js";

test("a triplet is excluded with a reason, shown with it, and counted again", async () => {
  const root = await temporaryDirectory();
  const directory = join(root, "generated");
  await generatedRun(directory, { images: 8 });
  const app = studio({ root });
  const pairs = async () => {
    const response = await app.request("http://localhost/api/runs/generated/pairs?limit=10");
    return ((await response.json()) as PairPage).pairs;
  };
  const send = (body: object) =>
    app.request("http://localhost/api/runs/generated/excluded", {
      method: "POST",
      headers: { "content-type": "application/json", "x-touchstone": "studio" },
      body: JSON.stringify(body),
    });
  const [pair, other] = await pairs();
  expect((await send({ pair: pair?.id, reason: "two robins" })).status).toBe(200);
  expect((await pairs()).map(({ excluded }) => excluded)).toEqual(["two robins", undefined]);
  expect([...(await readExcluded(await openStore(directory))).values()]).toEqual(["two robins"]);
  expect((await send({ pair: other?.id, reason: " " })).status).toBe(400);
  expect((await send({ pair: "nobody's", reason: "none" })).status).toBe(404);
  expect((await send({ pair: pair?.id, reason: null })).status).toBe(200);
  expect((await readExcluded(await openStore(directory))).size).toBe(0);
});
