import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { fakeEnvironment } from "../../../test/support/fake-environment.js";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { runCommandLine } from "../../cli/main.js";
import type { FileList } from "../api.js";
import { studio } from "../studio.js";
import type { ScoredRowPage, ScoreFileDetail } from "./score-api.js";

/** Images that a metric of their width scores, and what `score` wrote of them. */
async function scored(out: string) {
  const root = await temporaryDirectory();
  await mkdir(join(root, "photos"), { recursive: true });
  await writeFile(
    join(root, "width.mjs"),
    `export default { name: "width", range: [0, 100], direction: "higher", statistic: "pixels",
      async score({ image }) { return { value: image.width }; } };`,
  );
  const widths = [30, 10, 90, 50];
  for (const width of widths) {
    const image = sharp({ create: { width, height: 40, channels: 3, background: "teal" } });
    await image.png().toFile(join(root, "photos", `${width}.png`));
  }
  await writeFile(join(root, "photos", "torn.png"), "no image");
  const rows = [...widths, "torn"].map((name) => ({ file_name: `${name}.png`, text: `a ${name}` }));
  await writeFile(
    join(root, "photos", "metadata.jsonl"),
    rows.map((row) => JSON.stringify(row)).join("\n"),
  );
  await mkdir(dirname(join(root, out)), { recursive: true });
  const environment = fakeEnvironment({ workingDirectory: root });
  await runCommandLine(
    ["score", "photos", "--metric", "./width.mjs", "--skip-bad", "--out", out],
    environment,
  );
  const { stdout } = environment.written;
  const app = studio({ root });
  const get = (path: string) => app.request(`http://localhost/api${path}`);
  const json = async <Answer>(path: string): Promise<Answer> =>
    (await get(path)).json() as Promise<Answer>;
  return { root, stdout, get, json };
}

test.each(["scores.jsonl", "out/scores.csv", "scores.json", "scores.parquet"])(
  "%s of score is listed, and shown worst first with its unscored rows by reason",
  async (out) => {
    const { stdout, get, json } = await scored(out);
    expect(stdout).toContain(`Next: touchstone studio ${out}`);
    const { files } = await json<FileList>("/files");
    const id = out.replace("/", "~");
    expect(files).toContainEqual({ id, name: out, kind: "scores" });
    const { metrics } = await json<ScoreFileDetail>(`/scores/${id}`);
    expect(metrics).toEqual([
      expect.objectContaining({
        metric: "width",
        statistic: "pixels",
        low: 0,
        high: 100,
        direction: "higher",
        scored: 4,
        reasons: [{ reason: "bad-input", rows: 1 }],
      }),
    ]);
    const rows = async (query: string) =>
      json<ScoredRowPage>(`/scores/${id}/rows${query === "" ? "" : `?${query}`}`);
    const worst = await rows("");
    expect(worst.rows.map(({ value }) => value)).toEqual([10, 30, 50, 90, null]);
    expect(worst.rows.at(-1)).toMatchObject({ image: "torn.png", reason: "bad-input" });
    expect((await rows("order=best&limit=2")).rows.map(({ value }) => value)).toEqual([90, 50]);
    expect((await rows("reason=bad-input")).total).toBe(1);
    expect((await rows("text=a%2090")).rows.map(({ value }) => value)).toEqual([90]);
    const next = await rows("limit=2");
    expect(next).toMatchObject({ total: 5, next: "2" });
    const image = await get(`/scores/${id}/images/${worst.rows[0]?.at}`);
    expect((await sharp(await image.arrayBuffer()).metadata()).width).toBe(10);
    expect((await get(`/scores/${id}/images/99`)).status).toBe(404);
    expect((await get(`/scores/${id}/rows?order=sideways`)).status).toBe(400);
    expect((await get("/scores/nothing.csv")).status).toBe(404);
  },
);

test("a file of scores leads to no image outside the folder that is shown", async () => {
  const { root, get } = await scored("scores.jsonl");
  const row = { metric: "m", status: "scored", value: 1, reason: null, low: 0, high: 1 };
  await writeFile(
    join(root, "bad.jsonl"),
    ["../../../../etc/hostname", "/etc/hostname"]
      .map((image) => `${JSON.stringify({ ...row, image, text: "", direction: "higher" })}\n`)
      .join(""),
  );
  for (const at of [0, 1]) {
    expect([403, 404]).toContain((await get(`/scores/bad.jsonl/images/${at}`)).status);
  }
});
