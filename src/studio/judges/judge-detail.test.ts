import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generatedJudge } from "../../../test/support/generated-judge.js";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { studio } from "../studio.js";
import type { JudgeDetail } from "./judge-detail.js";

async function shownJudge() {
  const root = await temporaryDirectory();
  const path = join(root, "judge.json");
  const judge = await generatedJudge(path, { labels: 60 });
  const app = studio({ root, shown: "." });
  const get = (address: string) => app.request(`http://localhost/api${address}`);
  return { path, judge, get };
}

test("a judge is found by what stands in its file, and shown as it was saved", async () => {
  const { judge, get } = await shownJudge();
  expect(await (await get("/files")).json()).toMatchObject({
    files: [{ id: "judge.json", name: "judge.json", kind: "judge" }],
  });
  const detail = (await (await get("/judges/judge.json")).json()) as JudgeDetail;
  expect(detail.certification).toEqual(judge.certification);
  expect(detail.weights).toEqual(judge.weights);
  expect(detail.calibration).toEqual(judge.calibration);
  expect(detail.made).toBe(
    "touchstone calibrate labels.csv --model test:parrot --target-error 0.1 --out judge.json",
  );
  const { reliability, coverage } = detail;
  for (const bin of judge.calibration?.bins ?? []) {
    if (bin.n > 0) expect(reliability?.svg).toContain(`>${bin.n}</text>`);
  }
  expect(coverage?.svg).toContain("held-out labels");
});

test("a judge that was edited is refused, with what to do about it", async () => {
  const { path, get } = await shownJudge();
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace('"target": 0.1', '"target": 0.2'));
  const answer = await get("/judges/judge.json");
  expect(answer.status).toBe(409);
  expect(await answer.text()).toContain("changed since it was saved");
});
