import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Hono } from "hono";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeAuditRun } from "../../../test/report/audit-run.js";
import { concludeAudit } from "../../benchmarks/stereotypes/findings.js";
import { auditVerdict } from "../../benchmarks/stereotypes/verdict.js";
import { asJson } from "../../core/json.js";
import { openStore } from "../../files/open-store.js";
import { studio } from "../studio.js";
import type { AuditDetail, AuditSetPage } from "./audit-api.js";

let root = "";
let app: Hono;
const get = async <Answer>(address: string): Promise<Answer> => {
  const answer = await app.request(`http://localhost/api/runs/${address}`);
  expect(answer.status, address).toBe(200);
  return (await answer.json()) as Answer;
};

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "touchstone-"));
  app = studio({ root });
  await makeAuditRun(join(root, "whole"), { count: 3, images: 2 });
  // As it stands while refined images are still to come.
  await cp(join(root, "whole"), join(root, "waiting"), { recursive: true });
  const records = join(root, "waiting", "records");
  const names = await readdir(records);
  for (const name of names.filter((name) => /-(audit|paint)-refined-/.test(name))) {
    await rm(join(records, name));
  }
});
afterAll(() => rm(root, { recursive: true }));

test("an audit's figures are those of its report, to the last digit", async () => {
  const run = await openStore(join(root, "whole"));
  const report = await concludeAudit({ run, name: "whole" });
  const detail = await get<AuditDetail>("whole/audit");
  const { conclusion, bounds, items, prices, selfAgreement, refining, unscored } = report;
  expect(detail).toMatchObject(
    asJson({ conclusion, bounds, items, prices, selfAgreement, refining, unscored }),
  );
  expect(detail.verdict).toEqual(auditVerdict(report));
  expect(detail.same).toEqual(report.diversity.same);
  expect(detail.prices[0]?.change.overall.difference.low).not.toBeNull();
  expect(detail.figures.index.svg).toContain("<svg");
  expect(detail.figures.prices).toHaveLength(prices.length);
});

test("each set says what its report's card says", async () => {
  const run = await openStore(join(root, "whole"));
  const { cards } = await concludeAudit({ run, name: "whole", resamples: 20 });
  const { sets, total } = await get<AuditSetPage>("whole/audit/sets?limit=200");
  expect(sets).toHaveLength(total);
  for (const { key, query, initial, refined } of cards) {
    const shown = sets.find((set) => set.initial.key === key);
    expect(shown).toMatchObject({
      query,
      initial: asJson({ prompt: initial.prompt, index: initial.index, flags: initial.flags }),
      refined: asJson({ index: refined?.index ?? null, flags: refined?.flags ?? [] }),
    });
    expect(shown?.initial.images.map((image) => image.key)).toEqual(
      initial.images.map((image) => image.key),
    );
  }
});

test("sets are filtered, sorted and paged", async () => {
  const asked = (query: string) => get<AuditSetPage>(`whole/audit/sets?${query}`);
  const { sets, total } = await asked("sort=before&limit=200");
  const indices = sets.map(({ initial }) => initial.index ?? -1);
  expect(indices).toEqual([...indices].sort((a, b) => b - a));
  const worse = (await asked("sort=rise&limit=1")).sets[0];
  expect((worse?.refined?.index ?? 0) - (worse?.initial.index ?? 0)).toBe(
    Math.max(
      ...sets.flatMap(({ initial, refined }) =>
        initial.index === null || refined?.index == null ? [] : [refined.index - initial.index],
      ),
    ),
  );
  const [first] = sets;
  const item = first?.initial.flags[0]?.item ?? "";
  const flagged = await asked(`category=${first?.category}&item=${item}&limit=200`);
  expect(flagged.total).toBeGreaterThan(0);
  expect(flagged.total).toBeLessThan(total);
  for (const { category, initial, refined } of flagged.sets) {
    expect(category).toBe(first?.category);
    expect([...initial.flags, ...(refined?.flags ?? [])].map((flag) => flag.item)).toContain(item);
  }
  const page = await asked("limit=2&cursor=1");
  expect(page).toMatchObject({ total, next: "3" });
  const inOrder = (await asked("limit=200")).sets;
  expect(page.sets).toEqual(inOrder.slice(1, 3));
});

test("an audit that waits for its refined images shows those that it has", async () => {
  const detail = await get<AuditDetail>("waiting/audit");
  expect(detail).toMatchObject({ isRefined: false });
  expect(detail.verdict[0]).toContain("refined prompts have no images yet");
  expect(detail.initial[0]?.index.mean.low).not.toBeNull();
  const phases = new Set(detail.items.map(({ phase }) => phase));
  expect(phases).toEqual(new Set(["initial"]));
  const whole = await get<AuditDetail>("whole/audit");
  expect(detail.items.length).toBe(whole.items.length / 2);
  const [set] = (await get<AuditSetPage>("waiting/audit/sets")).sets;
  expect(set?.refined).toBeNull();
  expect(set?.initial.images.length).toBe(2);
});

test("what is no audit, and a query that is none, are refused", async () => {
  const answer = await app.request("http://localhost/api/runs/whole/audit/sets?sort=sideways");
  expect(answer.status).toBe(400);
  expect((await app.request("http://localhost/api/runs/nothing/audit")).status).toBe(404);
});
