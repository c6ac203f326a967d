import { mkdir, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { filterBy, generatedRun } from "../../test/support/generated-run.js";
import { temporaryDirectory } from "../../test/support/temporary-directory.js";
import type { FileList, ItemPage, PairPage, RunDetail, RunList } from "./api.js";
import { studio } from "./studio.js";

async function shownRun({ images = 40, side = 64, people = false, isFiltered = false } = {}) {
  const root = await temporaryDirectory();
  const run = await generatedRun(join(root, "generated"), { images, side, people });
  if (isFiltered) await filterBy(run);
  const app = studio({ root });
  const get = (path: string) => app.request(`http://localhost/api${path}`);
  const json = async <Answer>(path: string): Promise<Answer> =>
    (await get(path)).json() as Promise<Answer>;
  // Its index is made; what is asked of a run while it is read has no columns yet.
  await get("/runs/generated/items?limit=1");
  const items = (query: string) => json<ItemPage>(`/runs/generated/items?${query}`);
  return { root, run, get, json, items };
}

test("runs are listed with their state and verdict, and found in folders below", async () => {
  const { root, json } = await shownRun();
  await generatedRun(join(root, "more", "inner"), { images: 4 });
  await mkdir(join(root, "empty"));
  const { runs } = await json<RunList>("/runs");
  const made = {
    verb: "demo",
    metrics: [],
    notes: { isPinned: false, tags: [] },
  };
  expect(runs).toEqual([
    {
      id: "generated",
      name: "generated",
      state: "finished",
      verdict: null,
      command: "touchstone demo --run runs/generated",
      changed: expect.any(String),
      glance: { images: 40, thumbnails: expect.any(Array) },
      ...made,
    },
    {
      id: "more~inner",
      name: "more/inner",
      state: "finished",
      verdict: null,
      command: "touchstone demo --run runs/generated",
      changed: expect.any(String),
      glance: { images: 4, thumbnails: expect.any(Array) },
      ...made,
    },
  ]);
});

test("a report stands at an address that mirrors the folders, and may run nothing", async () => {
  const { root, run, get, json } = await shownRun({ images: 4 });
  const inner = await generatedRun(join(root, "judge", "pairs"), { images: 4 });
  const write = async (folder: string, verdict: string) => {
    await writeFile(join(folder, "report.html"), `<p>${verdict}</p><script>alert(1)</script>`);
    await writeFile(join(folder, "verdict.json"), JSON.stringify({ verdict: [verdict, "More."] }));
  };
  await write(run.directory, "It fails.");
  await write(join(root, "judge"), "It holds.");
  const { runs } = await json<RunList>("/runs");
  expect(runs).toMatchObject([
    { id: "generated", verdict: "It fails.", report: "/reports/generated/report.html" },
    {
      id: "judge~pairs",
      verdict: "It holds.",
      report: "/reports/judge/report.html",
      concludedIn: "judge",
    },
  ]);
  expect(await json<RunDetail>("/runs/judge~pairs")).toMatchObject({
    sentences: ["It holds.", "More."],
    hasReport: false,
  });
  const { files } = await json<FileList>("/files");
  expect(files).toEqual([
    {
      id: "judge~verdict.json",
      name: "judge/verdict.json",
      kind: "report",
      verdict: "It holds.",
      report: "/reports/judge/report.html",
    },
  ]);
  for (const [path, said] of [
    ["/../reports/generated/report.html", "It fails."],
    ["/../reports/judge/report.html", "It holds."],
  ] as const) {
    const page = await get(path);
    expect(await page.text()).toContain(said);
    const policy = page.headers.get("content-security-policy");
    expect(policy).toMatch(/^default-src 'none';/);
    expect(policy).not.toContain("script-src");
    expect(policy).toContain("sandbox allow-same-origin");
    expect(page.headers.get("x-frame-options")).toBe("DENY");
  }
  for (const path of [
    "reports/report.html",
    "reports/generated/run.json",
    "reports/nowhere/report.html",
    "reports/generated/%2e%2e%2f..%2freport.html",
    "reports/generated%2freport.html",
    "reports/%zz/report.html",
  ]) {
    expect((await get(`/../${path}`)).status, path).toBe(404);
  }
  // A link that leads out is not followed.
  await rm(join(inner.directory, "..", "report.html"));
  await symlink("/etc/hostname", join(root, "judge", "report.html"));
  expect((await get("/../reports/judge/report.html")).status).toBe(404);
});

test("a folder that is a run itself is shown as one", async () => {
  const root = join(await temporaryDirectory(), "demo");
  await generatedRun(root, { images: 4 });
  const answer = await studio({ root }).request("http://localhost/api/runs/.run");
  expect(await answer.json()).toMatchObject({ name: "demo", images: 4 });
});

test("pairs go through the run's filter where they are asked for by it", async () => {
  const { run, json } = await shownRun({ isFiltered: true });
  const { filter, pairs } = await json<RunDetail>("/runs/generated");
  const rated = (prompt: string, role: string) =>
    run.scores.find(
      (score) =>
        score.metric === "rating" &&
        run.images.some(
          (one) => one.key === score.of && one.prompt === prompt && one.role === role,
        ),
    );
  const isKept = ({ key }: { readonly key: string }) =>
    ["correct", "adversarial"].every((role) => {
      const score = rated(key, role);
      return score?.status === "done" && score.value >= 0.4;
    });
  const kept = run.prompts.filter(isKept).length;
  expect(kept).toBeGreaterThan(0);
  expect(kept).toBeLessThan(pairs);
  expect(filter).toMatchObject({ keepFrom: 0.4, kept });
  expect(filter?.description).toContain("rated both images 0.4 or more of 1");
  const by = `/runs/generated/pairs?limit=100&keptBy=${filter?.column}&keepFrom=0.4`;
  const prompts = async (query: string) =>
    (await json<PairPage>(query)).pairs.map(
      ({ id }) => run.images.find(({ key }) => key === id)?.prompt,
    );
  const keys = (some: readonly { readonly key: string }[]) => some.map(({ key }) => key);
  expect(await prompts(by)).toEqual(keys(run.prompts.filter(isKept)));
  expect(await prompts(`${by}&kept=no`)).toEqual(
    keys(run.prompts.filter((prompt) => !isKept(prompt))),
  );
  expect(await prompts("/runs/generated/pairs?limit=100")).toHaveLength(pairs);
  expect(await json("/runs/generated/pairs?keptBy=none")).toMatchObject({
    error: { code: "unknown-metric" },
  });
});

test("a run says what its gallery can be filtered by", async () => {
  const { run, json } = await shownRun();
  const detail = await json<RunDetail>("/runs/generated");
  expect(detail.images).toBe(run.images.length);
  expect(detail.pairs).toBe(run.prompts.length);
  expect(
    detail.columns.map(({ metric, against, hasMargin }) => [metric, against, hasMargin]),
  ).toEqual(
    ["clip-score", "vqa-score", "pick-score", "hps", "rating"].map((name) => [
      name,
      "prompt",
      true,
    ]),
  );
  for (const column of detail.columns) {
    const own = run.scores.filter(({ metric }) => metric === column.metric);
    const values = own.flatMap((score) => (score.status === "done" ? [score.value] : []));
    expect(column).toMatchObject({
      scored: values.length,
      unscored: own.length - values.length,
      lowest: Math.min(...values),
      highest: Math.max(...values),
    });
  }
  expect(detail.domains.map(({ images }) => images).reduce((a, b) => a + b)).toBe(40);
});

test("a run's overview is what its report left, or null where there is none to be read", async () => {
  const { run, json } = await shownRun({ images: 4 });
  expect(await json("/runs/generated/overview")).toBeNull();
  const table = {
    title: "Failure rates",
    columns: [{ title: "metric" }, { title: "n", align: "right" }],
    rows: [{ facets: { metric: "hps" }, cells: ["hps", "1,234"] }],
    note: "",
  };
  const overview = { figure: { title: "t", caption: "c", svg: "<svg/>" }, tables: [table] };
  const file = join(run.directory, "overview.json");
  await writeFile(file, JSON.stringify(overview));
  expect(await json("/runs/generated/overview")).toEqual(overview);
  await writeFile(file, '{"figure":');
  expect(await json("/runs/generated/overview")).toBeNull();
});

test("pages of items follow each other in the order of the plan, none twice", async () => {
  const { run, items } = await shownRun();
  const keys: string[] = [];
  let next: string | null = "0";
  while (next !== null) {
    const page: ItemPage = await items(`limit=7&cursor=${next}`);
    keys.push(...page.items.map(({ key }) => key));
    expect(page.total).toBe(40);
    next = page.next;
  }
  expect(keys).toEqual(run.images.map(({ key }) => key));
});

test("items are filtered by text, domain, role and range, and sorted by score", async () => {
  const { run, json, items } = await shownRun();
  const found = await items("text=kiwi%20number%203%20&limit=500");
  expect(found.items.map(({ text }) => text)).toEqual(
    run.images.map(({ text }) => text).filter((text) => text.startsWith("Kiwi number 3 ")),
  );
  const ofRole = await items("role=correct&domain=animals&limit=500");
  expect(ofRole.items.every(({ role, domain }) => role === "correct" && domain === "animals")).toBe(
    true,
  );
  expect(ofRole.total).toBe(run.prompts.filter(({ domain }) => domain === "animals").length);
  const [column] = (await json<RunDetail>("/runs/generated")).columns;
  const values = run.scores.flatMap((score) =>
    score.metric === column?.metric && score.status === "done" ? [score.value] : [],
  );
  const inRange = values.filter((value) => value >= 0.2 && value <= 0.8).sort((a, b) => b - a);
  const sorted = await items(
    `metric=${column?.id}&min=0.2&max=0.8&sort=score&order=down&limit=500`,
  );
  expect(sorted.items.map(({ scores }) => scores[0]?.value)).toEqual(inRange);
});

test("a pair fails where the wrong image scores as high, ties included", async () => {
  const { run, json, items } = await shownRun({ images: 400 });
  const [column] = (await json<RunDetail>("/runs/generated")).columns;
  const failed = await items(`metric=${column?.id}&failed=yes&role=correct&limit=500`);
  const values = new Map(
    run.scores.flatMap((score) =>
      score.metric === column?.metric && score.status === "done" ? [[score.of, score.value]] : [],
    ),
  );
  const margins = run.prompts.flatMap((prompt) => {
    const of = (role: string) =>
      values.get(
        run.images.find((one) => one.prompt === prompt.key && one.role === role)?.key ?? prompt.key,
      );
    const [right, wrong] = [of("correct"), of("adversarial")];
    return right === undefined || wrong === undefined ? [] : [right - wrong];
  });
  expect(failed.total).toBe(margins.filter((margin) => margin <= 0).length);
  expect(margins).toContain(0);
  const byMargin = await items(`metric=${column?.id}&sort=margin&role=correct&limit=500`);
  const shown = byMargin.items.flatMap(({ scores }) => scores[0]?.margin ?? []);
  expect(shown).toEqual(margins.sort((a, b) => a - b));
});

test("what has no score is found by its reason, and comes last when sorted", async () => {
  const { run, json, items } = await shownRun({ images: 400 });
  const refused = run.images.filter(({ status }) => status === "unscored");
  expect(refused.length).toBeGreaterThan(0);
  const found = await items("reason=refused&limit=500");
  expect(found.items.map(({ key }) => key)).toEqual(refused.map(({ key }) => key));
  const [column] = (await json<RunDetail>("/runs/generated")).columns;
  const sorted = await items(`metric=${column?.id}&sort=score&order=down&limit=500`);
  const values = sorted.items.map(({ scores }) => scores[0]?.value ?? null);
  const first = values.indexOf(null);
  expect(values.slice(first).every((value) => value === null)).toBe(true);
  expect(first).toBe(values.filter((value) => value !== null).length);
});

test("images on which metrics disagree come first when sorted by disagreement", async () => {
  const { items } = await shownRun();
  const { items: sorted } = await items("sort=disagreement&order=down&limit=500");
  const spreadOf = (values: readonly number[]) => Math.max(...values) - Math.min(...values);
  const first = sorted[0]?.scores.flatMap(({ value }) => value ?? []) ?? [];
  const middle = sorted[30]?.scores.flatMap(({ value }) => value ?? []) ?? [];
  expect(spreadOf(first)).toBeGreaterThan(spreadOf(middle));
});

test("images on which a metric and people disagree come first, by ranks among those that both scored", async () => {
  const { run, json, items } = await shownRun({ people: true });
  const { columns } = await json<RunDetail>("/runs/generated");
  expect(columns.filter(({ isByPeople }) => isByPeople)).toHaveLength(1);
  const column = columns.find(({ metric }) => metric === "hps");
  const valuesOf = (metric: string) =>
    new Map(
      run.scores.flatMap((score) =>
        score.metric === metric && score.status === "done" ? [[score.of, score.value]] : [],
      ),
    );
  const [theirs, its] = [valuesOf("people"), valuesOf("hps")];
  const shared = [...theirs.keys()].filter((key) => its.has(key));
  const rankIn = (values: ReadonlyMap<string, number>, key: string) => {
    const own = values.get(key) ?? 0;
    const others = shared.filter((one) => one !== key).map((one) => values.get(one) ?? 0);
    const below = others.filter((other) => other < own).length;
    return (below + others.filter((other) => other === own).length / 2) / others.length;
  };
  const expected = shared
    .map((key) => Math.abs(rankIn(theirs, key) - rankIn(its, key)))
    .sort((a, b) => b - a);
  const sorted = await items(`sort=people&order=down&metric=${column?.id}&limit=500`);
  const found = sorted.items.map(({ apart }) => apart ?? null);
  expect(expected.length).toBeGreaterThan(10);
  for (const [at, gap] of expected.entries()) expect(found[at]).toBeCloseTo(gap, 12);
  expect(found.slice(expected.length).every((gap) => gap === null)).toBe(true);
  const chosen = await items(`sort=people&metric=${column?.id}&gap=0.5&limit=500`);
  expect(chosen.total).toBe(expected.filter((gap) => gap >= 0.5).length);
  // Of all metrics the one furthest from people counts, and people are no metric among metrics.
  const all = await items("sort=people&order=down&limit=1");
  expect(all.items[0]?.apart).toBeGreaterThanOrEqual(expected[0] ?? 0);
  const alone = await shownRun();
  const between = "sort=disagreement&order=down&spread=0.6&limit=500";
  const [withPeople, without] = [await items(between), await alone.items(between)];
  expect(withPeople.items.map(({ apart }) => apart)).toEqual(
    without.items.map(({ apart }) => apart),
  );
  expect(without.total).toBeGreaterThan(0);
});

test.each([
  "sort=size",
  "limit=-1",
  "min=much",
  "metric=none&sort=score",
  "sort=score",
  "failed=maybe",
])("a query that is none is refused: %s", async (query) => {
  const { get } = await shownRun({ images: 4 });
  const answer = await get(`/runs/generated/items?${query}`);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    error: { message: expect.stringContaining("Expected") },
  });
});

test("an image is handed out as it is, or smaller, and the small one is kept", async () => {
  const { root, run, get } = await shownRun({ images: 4, side: 600 });
  const [image] = run.images;
  if (image?.status !== "done") throw new Error("The first image was not made");
  const whole = await get(`/runs/generated/images/${image.image}`);
  expect(whole.headers.get("content-type")).toBe("image/jpeg");
  expect((await sharp(await whole.arrayBuffer()).metadata()).width).toBe(600);
  const small = await get(`/runs/generated/images/${image.image}?width=200`);
  expect(small.headers.get("content-type")).toBe("image/webp");
  const bytes = Buffer.from(await small.arrayBuffer());
  expect((await sharp(bytes).metadata()).width).toBe(256);
  const kept = join(root, ".studio", "thumbnails", image.image.slice(0, 2));
  await expect.poll(() => readdir(kept).catch(() => [])).toEqual([`${image.image}-256.webp`]);
  const again = await get(`/runs/generated/images/${image.image}?width=256`);
  expect(Buffer.from(await again.arrayBuffer()).equals(bytes)).toBe(true);
});

test.each([
  ["limit=x", 'Expected a whole number from 1 to 999999 for limit but received "x"'],
  ["sort=best", "Expected one of plan, score, margin, disagreement, people for sort"],
  ["min=1,5", 'Expected a number for min but received "1,5"'],
  [`text=${"a".repeat(501)}`, "Expected at most 500 characters for text"],
])("a query that can't be is refused by name: %s", async (query, said) => {
  const { get } = await shownRun({ images: 4 });
  const answer = await get(`/runs/generated/items?${query}`);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    error: { code: "query", message: expect.stringContaining(said) },
  });
});

test("what an address leaves empty is not given, and a page of nothing is refused", async () => {
  const { get, json, items } = await shownRun({ images: 4 });
  expect(await items("limit=2&cursor=&text=&min=&sort=")).toEqual(await items("limit=2"));
  expect(await items("limit=&cursor=")).toEqual(await items(""));
  const [item] = (await items("limit=1")).items;
  expect((await get(`/runs/generated/images/${item?.image}?width=`)).status).toBe(200);
  // A reader that pages on would never come to an end.
  expect(await json("/runs/generated/items?limit=0")).toMatchObject({
    error: { code: "query", message: expect.stringContaining("a whole number from 1 to") },
  });
});
