import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { generatedRun } from "../../test/support/generated-run.js";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
import { readExcluded } from "../benchmarks/prototypicality/run-filter.js";
import { openStore } from "../files/open-store.js";
import type { ItemPage, RunList } from "./api.js";
import type { GridPage } from "./grid/grid-api.js";
import type { RunNotes } from "./notes/note-api.js";
import { studio } from "./studio.js";

async function shown() {
  const root = await temporaryDirectory();
  const run = await generatedRun(join(root, "run"), { images: 200, side: 8, people: true });
  const [app, second] = [studio({ root }), studio({ root })];
  const ask = (path: string) => app.request(`http://localhost/api/runs/run/${path}`);
  const send = (path: string, body: object, by = app) =>
    by.request(`http://localhost/api/runs/run/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-touchstone": "studio" },
      body: JSON.stringify(body),
    });
  const items = async (where: string): Promise<ItemPage> => {
    const query = new URLSearchParams({ limit: "500", where });
    return (await ask(`items?${query}`)).json() as Promise<ItemPage>;
  };
  return { run, app, second, ask, send, items };
}

test("images meet conditions on several metrics at once, by the beginnings of their names", async () => {
  const { run, ask, items } = await shown();
  const { items: found, total } = await items("vqa < 0.5 and clip > 0.3");
  const scores = (metric: string) =>
    new Map(
      run.scores.flatMap((score) =>
        score.metric === metric && score.status === "done" ? [[score.of, score.value]] : [],
      ),
    );
  const [vqa, clip] = [scores("vqa-score"), scores("clip-score")];
  const wanted = run.images.filter(
    ({ key }) => (vqa.get(key) ?? 1) < 0.5 && (clip.get(key) ?? 0) > 0.3,
  );
  expect(total).toBe(wanted.length);
  expect(wanted.length).toBeGreaterThan(0);
  expect(found.map(({ key }) => key)).toEqual(wanted.map(({ key }) => key));
  for (const wrong of ["vqa", "nothing < 1", "score < 1", "vqa < half"]) {
    const refused = await ask(`items?${new URLSearchParams({ where: wrong })}`);
    expect(refused.status, wrong).toBe(400);
  }
});

test("a grid's images come before their scores are read, where a page asks so, and all soon after", async () => {
  const { ask } = await shown();
  const grid = async (search: string) =>
    (await ask(`grid?limit=500${search}`)).json() as Promise<GridPage>;
  const early = await grid("&early=yes");
  expect(early.total).toBe(50);
  expect(early.items.flatMap(({ cells }) => cells.filter((cell) => cell !== null))).toHaveLength(
    200,
  );
  // What is chosen by scores waits for them.
  const chosen = await grid("&early=yes&where=vqa%20%3C%200.5");
  expect(chosen).toMatchObject({ isReady: true });
  const all = await grid("&early=yes");
  expect(all).toMatchObject({ isReady: true, total: 50 });
  expect(all.shown.length).toBeGreaterThan(early.isReady ? 0 : early.shown.length - 1);
  expect(await grid("")).toEqual(all);
});

test("a grid shows a prompt a row, with what metric and people like best", async () => {
  const { run, ask } = await shown();
  const page = async (search: string) =>
    (await ask(`grid?limit=500${search}`)).json() as Promise<GridPage>;
  const all = await page("");
  // One model made all: its roles are the columns.
  expect(all.columns).toEqual(["correct", "adversarial", "control-correct", "control-adversarial"]);
  expect(all.total).toBe(50);
  for (const row of all.items) {
    const best = row.cells.filter((cell) => cell?.isBest);
    const liked = row.cells.filter((cell) => cell?.isPeoplesChoice);
    const against =
      best.length === 0 || liked.length === 0 ? null : !best.some((one) => liked.includes(one));
    expect(row.isAgainstPeople).toBe(against);
  }
  const against = all.items.filter(({ isAgainstPeople }) => isAgainstPeople === true);
  expect((await page("&only=people")).total).toBe(against.length);
  const unscored = await page("&only=unscored");
  expect(unscored.total).toBeGreaterThan(0);
  const lacks = (key: string) =>
    run.scores.some(({ of, status }) => of === key && status === "unscored") ||
    run.images.some((image) => image.key === key && image.status === "unscored");
  // Every metric counts, not only the four that are shown.
  const lacking = run.images.flatMap(({ key, prompt }) => (lacks(key) ? [prompt] : []));
  expect(unscored.total).toBe(new Set(lacking).size);
  const low = await page(`&where=${encodeURIComponent("vqa < 0.2")}`);
  for (const { cells } of low.items) {
    for (const cell of cells) {
      const vqa = cell?.item.scores.find(({ column }) => column.startsWith("vqa-score"));
      expect(cell?.isMeant).toBe((vqa?.value ?? 1) < 0.2);
    }
  }
});

test("a grid has one row for what two models painted of a prompt, whatever their roles", async () => {
  const root = await temporaryDirectory();
  const { directory } = await generatedRun(join(root, "run"), { images: 20, models: 2, side: 8 });
  const file = join(directory, "records", "02-paint-images.jsonl");
  const text = await readFile(file, "utf8");
  const roles = (line: string) =>
    line.replace('"role":"correct"', line.includes("squares-1") ? '"role":"a"' : '"role":"b"');
  await writeFile(file, text.split("\n").map(roles).join("\n"));
  const asked = await studio({ root }).request("http://localhost/api/runs/run/grid?limit=500");
  const grid = (await asked.json()) as GridPage;
  expect(grid).toMatchObject({ total: 10, columns: ["test:squares-1", "test:squares-2"] });
  for (const { role, cells } of grid.items) {
    expect(role).toBeUndefined();
    expect(cells.map((cell) => cell?.item.role)).toEqual(["a", "b"]);
  }
});

test("tags, comments and views are kept beside the run, and a selection becomes a table", async () => {
  const { run, ask, send } = await shown();
  const [first, second] = run.images.map(({ key }) => key);
  await send("notes", { of: [first, second], tag: "blurry", by: "Ada" });
  await send("notes", { of: [first], comment: "two birds" });
  await send("notes", { of: [second], untag: "blurry" });
  const view = { name: "worst", page: "grid", search: { where: "vqa < 0.5" } };
  await send("notes", { view });
  expect((await send("notes", { tag: "" })).status).toBe(400);
  const notes = (await (await ask("notes")).json()) as RunNotes;
  expect(notes.images[first ?? ""]?.tags).toEqual(["blurry"]);
  expect(notes.images[first ?? ""]?.comments.map(({ text }) => text)).toEqual(["two birds"]);
  expect(notes.images[second ?? ""]?.tags).toEqual([]);
  expect(notes.views).toEqual([view]);
  const tagged = (await (await ask("items?tag=blurry")).json()) as ItemPage;
  expect(tagged.items.map(({ key }) => key)).toEqual([first]);
  const written = await send("tables", { name: "chosen", of: [first, second] });
  const { path } = (await written.json()) as { path: string };
  expect(path).toMatch(/run\/notes\/chosen\.csv$/);
  const [head, ...lines] = (await readFile(join(run.directory, "notes", "chosen.csv"), "utf8"))
    .trim()
    .split("\n");
  expect(head).toMatch(/^id,image,text,model,role,sample,clip-score,/);
  expect(lines.map((line) => line.split(",", 1)[0])).toEqual([first, second]);
  // Another of this name overwrites nothing.
  const again = await send("tables", { name: "chosen", of: [second] });
  expect(await again.json()).toMatchObject({ path: expect.stringMatching(/chosen-2\.csv$/) });
  expect(await readFile(join(run.directory, "notes", "chosen.csv"), "utf8")).toContain(first);
  expect((await send("tables", { name: "../chosen", of: [first] })).status).toBe(400);
});

test("a table says how many images are left out, and holds at least one", async () => {
  const { run, send } = await shown();
  const of = (status: string) =>
    run.images.flatMap((image) => (image.status === status ? [image.key] : []));
  const [lacking = "", some = ""] = [of("unscored")[0], of("done")[0]];
  const written = await send("tables", { name: "some", of: [some, lacking] });
  expect(await written.json()).toMatchObject({ left: 1 });
  expect((await send("tables", { name: "none", of: [lacking] })).status).toBe(409);
  expect(await readdir(join(run.directory, "notes"))).toEqual(["some.csv"]);
});

test("two studios lose no note and no exclusion of each other", async () => {
  const { run, second, ask, send } = await shown();
  const triplets = run.images.filter(({ role }) => role === "correct").slice(0, 4);
  const tags = ["one", "two", "three", "four"];
  await Promise.all(
    tags.flatMap((tag, at) => {
      const by = at % 2 === 0 ? undefined : second;
      const of = [triplets[at]?.key];
      return [send("notes", { tag }, by), send("excluded", { of, reason: tag }, by)];
    }),
  );
  const notes = (await (await ask("notes")).json()) as RunNotes;
  expect([...notes.tags].sort()).toEqual([...tags].sort());
  const excluded = await readExcluded(await openStore(run.directory));
  expect([...excluded.values()].sort()).toEqual([...tags].sort());
});

test("notes that can't be read hide no run of the list", async () => {
  const { run, app } = await shown();
  await mkdir(join(run.directory, "notes", "notes.jsonl"), { recursive: true });
  const { runs } = (await (await app.request("http://localhost/api/runs")).json()) as RunList;
  expect(runs).toMatchObject([{ name: "run", state: "finished", problem: expect.any(String) }]);
});

test("views of two pages may have one name", async () => {
  const { ask, send } = await shown();
  const view = { name: "bad", search: { where: "vqa < 0.5" } };
  await send("notes", { view: { ...view, page: "grid" } });
  await send("notes", { view: { ...view, page: "gallery" } });
  await send("notes", { view: { ...view, page: "gallery", search: null } });
  const notes = (await (await ask("notes")).json()) as RunNotes;
  expect(notes.views).toEqual([{ ...view, page: "grid" }]);
});
