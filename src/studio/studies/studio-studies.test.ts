import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { knownStudy, openStudy, plannedStudy } from "../../../test/support/known-study.js";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { conclude } from "../../conclusions/conclusions.js";
import { asJson } from "../../core/json.js";
import { openStudyFolder } from "../../studies/home/study-folder.js";
import { studyStatus } from "../../studies/study-status.js";
import { collect } from "../../studies/tables/counted-answers.js";
import { exportTable } from "../../studies/tables/export-table.js";
import { tableOf } from "../../tables/bytes.js";
import type { Starts } from "../jobs/job-api.js";
import { studio } from "../studio.js";
import { planView } from "./plan-view.js";
import type { StudyDetail, StudyLabels } from "./studio-studies.js";

async function shownStudy() {
  const { service, directory, anna } = await knownStudy();
  const { adminToken, secret } = service.home;
  await service.answer(anna.session, { assignment: anna.assignment, answer: { value: 3 } });
  await mkdir(join(directory, "outside-ids"), { recursive: true });
  const outside = { source: "prolific", id: "5f-outside-id" };
  await writeFile(
    join(directory, "outside-ids", `${anna.participant}.json`),
    JSON.stringify(outside),
  );
  const app = studio({ root: dirname(directory), shown: "studies" });
  const address = "http://localhost/api/studies/study~study.json";
  const invite = async (
    body: unknown,
    headers: Record<string, string> = { "x-touchstone": "1" },
  ) => {
    const answer = await app.request(`${address}/invitations`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    return { status: answer.status, text: await answer.text() };
  };
  return {
    app,
    address,
    service,
    directory,
    anna,
    secrets: [adminToken, secret, anna.session],
    invite,
  };
}

test("a study is found, and stands as study status says, with nobody's name", async () => {
  const { app, address, directory, anna, secrets } = await shownStudy();
  const files = await (await app.request("http://localhost/api/files")).json();
  expect(files).toMatchObject({ files: [{ id: "study~study.json", kind: "study" }] });
  const text = await (await app.request(address)).text();
  const detail: StudyDetail = JSON.parse(text);
  const status = await studyStatus(await openStudyFolder(directory));
  expect(detail).toEqual({
    id: "study~study.json",
    path: "studies/study",
    inside: "study",
    status: asJson(status),
    url: null,
    own: null,
  });
  expect(status.blocks[0]?.answers).toBe(1);
  expect(text).toContain(anna.participant);
  for (const secret of [...secrets, "5f-outside-id", "prolific"])
    expect(text).not.toContain(secret);
});

async function labelsOf(directory: string) {
  const app = studio({ root: dirname(directory), shown: "studies" });
  const answer = await app.request("http://localhost/api/studies/study~study.json/labels");
  return ((await answer.json()) as StudyLabels).blocks[0];
}

test("a plan's study says what is asked next and how its interval narrows, and whom to believe", async () => {
  const { directory, people } = await plannedStudy(await temporaryDirectory());
  const block = await labelsOf(directory);
  if (typeof block?.plan !== "object" || typeof block.raters !== "object") {
    throw new Error("Expected a plan and raters");
  }
  const [strata, interval] = block.plan.tables;
  expect(strata?.rows).toEqual([
    ["band 1", 1, 0.5, 8, 8, 8],
    ["band 2", 1, 1, 16, 16, 16],
  ]);
  expect(interval?.title).toBe("Win rate of b against a");
  expect(interval?.rows.map(([answers]) => answers)).toEqual([12, 24, 36, 48, 60, 72, 84, 96]);
  // Twelve answers label six prompts at most: too few for an interval.
  expect(interval?.rows[0]?.slice(2)).toEqual([null, null, null]);
  const home = await openStudyFolder(directory);
  const table = exportTable(home.study, { ...(await collect(home)), table: "compare" });
  const lines = table.map((row) => `${JSON.stringify(row)}\n`).join("");
  const planned = (await conclude("label-plan", tableOf("answered.jsonl", lines))).json();
  expect(planned).toMatchObject({
    pair: ["b", "a"],
    reached: interval?.rows.at(-1)?.[2],
  });
  expect(block.raters.tables[0]?.rows).toHaveLength(4);
  expect(block.raters.tables[0]?.rows[0]?.[0]).toBe(people[3]);
});

async function plannedAnswers() {
  const { directory } = await plannedStudy(await temporaryDirectory());
  const home = await openStudyFolder(directory);
  const { answers } = await collect(home);
  const [block] = home.study.blocks;
  if (block === undefined) throw new Error("Expected a block");
  return { study: home.study, block, answers };
}
const lastInterval = (view: ReturnType<typeof planView>) => view?.tables[1]?.rows.at(-1)?.[2];

test("while some answers are missing the page's interval is that of the exported table", async () => {
  const { study, block, answers } = await plannedAnswers();
  const some = answers.filter(({ item }) => !["i0", "i21"].includes(item.id));
  const table = exportTable(study, { answers: some, table: "compare" });
  expect(new Set(table.map(({ weight }) => weight))).toEqual(new Set([(2 * 4) / 3, 8 / 7]));
  const lines = table.map((row) => `${JSON.stringify(row)}\n`).join("");
  const planned = (await conclude("label-plan", tableOf("answered.jsonl", lines))).json();
  expect(planned).toMatchObject({ reached: lastInterval(planView(block, some)) });
});

test("answers in words have an interval: of a share, or of how often a judge is right", async () => {
  const { block, answers } = await plannedAnswers();
  const inWords = (beside: object, ofFirst: object = {}) => {
    const items = block.items.map((item, at) => {
      const { model: _, score: _none, ...others } = item.beside;
      return { ...item, beside: { ...others, ...beside, ...(at === 0 ? ofFirst : {}) } };
    });
    const words = answers.map((one) => {
      const preferred = one.answer?.value === 2 ? "b" : "a";
      const item = items.find(({ id }) => id === one.item.id) ?? one.item;
      return { ...one, item, protocol: "pairwise" as const, answer: { preferred } };
    });
    const settings = { ...block.settings, protocol: "pairwise" as const };
    return planView({ ...block, items, settings }, words);
  };
  const share = inWords({ model_a: "A", model_b: "B" });
  expect(share?.verdict).toMatch(/interval is [\d.]+ points wide/);
  expect(share?.tables[1]?.title).toBe("Share that prefers A to B");
  // A score that is missing among others is none, not 0.
  const scored = (first: string) => lastInterval(inWords({ score: 0.9 }, { score: first }));
  expect(scored("")).toEqual(scored("unreadable"));
  expect(scored("")).not.toEqual(scored("0"));
  const judge = inWords({ probability: 0.2 });
  expect(judge?.tables[1]?.title).toBe("How often the judge is right");
  expect(lastInterval(judge)).not.toEqual(lastInterval(share));
});

test("a study without a plan or a second person says so", async () => {
  const { directory } = await shownStudy();
  expect(await labelsOf(directory)).toEqual({
    name: "rating",
    plan: expect.stringContaining("No plan"),
    raters: expect.stringContaining("two people"),
  });
});

test("an invitation lets one person in", async () => {
  const { invite, service, secrets } = await shownStudy();
  const { status, text } = await invite({ count: 2, url: "https://study.example.org/" });
  expect(status).toBe(200);
  const { links }: { links: string[] } = JSON.parse(text);
  expect(new Set(links).size).toBe(2);
  for (const link of links) {
    const [address, invitation = ""] = link.split("/#invite=");
    expect(address).toBe("https://study.example.org");
    expect((await service.join({ invite: invitation })).participant).toMatch(/^p-/);
  }
  for (const secret of secrets) expect(text).not.toContain(secret);
});

test("nobody is invited to a study that nobody can reach, or that is closed", async () => {
  const { invite, service } = await shownStudy();
  const unreachable = await invite({ count: 1 });
  expect(unreachable.status).toBe(409);
  expect(unreachable.text).toContain("touchstone study serve studies/study");
  await service.close();
  const closed = await invite({ count: 1, url: "https://study.example.org" });
  expect(closed.status).toBe(409);
  expect(closed.text).toContain("closed");
});

test.each([
  { count: 0, url: "https://study.example.org" },
  { count: 1001, url: "https://study.example.org" },
  { count: 1, url: "javascript:alert(1)" },
  { count: 1, url: "file:///etc/passwd" },
  { count: 1, url: "https://study.example.org", erase: "p-abcdefgh" },
  "text",
  null,
])("a request that is none is refused: %j", async (body) => {
  const { invite } = await shownStudy();
  expect((await invite(body)).status).toBe(400);
});

test("who holds no token gets no link that writes", async () => {
  const { directory, service } = await openStudy(await temporaryDirectory());
  const token = "0123456789abcdef-token";
  await service.home.beginServing();
  onTestFinished(() => service.home.endServing());
  await service.home.noteServing("http://127.0.0.1:4000");
  const starts: Starts = {
    token,
    program: [process.execPath],
    environment: {},
    forms: async () => [],
    named: async () => ({ models: [], metrics: [] }),
    wordsOf: async () => [],
  };
  const app = studio({ root: dirname(directory), shown: "studies", starts });
  const address = "http://localhost/api/studies/study~study.json";
  const asks = async (path: string, headers: Record<string, string>, body?: unknown) => {
    const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    const answer = await app.request(`${address}${path}`, { ...init, headers });
    return { status: answer.status, text: await answer.text() };
  };
  const wanted = { count: 1, url: "https://study.example.org" };
  const page = { "content-type": "application/json", "x-touchstone": "1" };
  for (const carried of [
    {},
    { authorization: "Bearer another" },
    { cookie: "touchstone-studio=another" },
  ]) {
    const seen = await asks("", carried);
    expect(JSON.parse(seen.text)).toMatchObject({ url: "http://127.0.0.1:4000", own: null });
    expect(seen.text).not.toMatch(/signature=/);
    expect((await asks("/labels", carried)).text).not.toMatch(/signature=/);
    const refused = await asks("/invitations", { ...page, ...carried }, wanted);
    expect(refused).toMatchObject({ status: 401, text: expect.stringContaining("printed") });
  }
  const bearer = { authorization: `Bearer ${token}` };
  const { own }: StudyDetail = JSON.parse((await asks("", bearer)).text);
  expect(own).toMatch(/^http:\/\/127\.0\.0\.1:4000\/.+/);
  expect((await asks("/invitations", { ...page, ...bearer }, wanted)).status).toBe(200);
});

test("a form of another page invites nobody", async () => {
  const { invite } = await shownStudy();
  const body = { count: 1, url: "https://study.example.org" };
  expect((await invite(body, {})).status).toBe(403);
  const foreign = { "x-touchstone": "1", origin: "http://evil.example" };
  expect((await invite(body, foreign)).status).toBe(403);
});
