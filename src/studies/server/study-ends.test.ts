import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { encodePng } from "../../images/pixels-picture.js";
import { readStudyConfig } from "../config/read-study-config.js";
import { createStudy } from "../create-study.js";
import { createStudyFolder, openStudyFolder } from "../home/study-folder.js";
import { StudyImages } from "../home/study-images.js";
import { payments } from "../panel/settled.js";
import { participantQuality } from "../quality/participant-quality.js";
import { collect } from "../tables/counted-answers.js";
import { studyApp } from "./study-app.js";
import { StudyService } from "./study-service.js";

const day = 86_400_000;

const answered = z.looseObject({
  session: z.string().optional(),
  study: z.looseObject({ consent: z.looseObject({ version: z.string() }) }).optional(),
  assignment: z.string().optional(),
  item: z.looseObject({ text: z.string() }).optional(),
  warning: z.boolean().optional(),
});

/** A served study of one rated image, and how people come to it. */
async function served(settings: Readonly<Record<string, unknown>> = {}) {
  const folder = await temporaryDirectory();
  const data = new Uint8Array(8 * 8 * 3).fill(90);
  await writeFile(join(folder, "0.png"), encodePng({ width: 8, height: 8, data }));
  await writeFile(join(folder, "items.csv"), "id,image,text\ni0,0.png,A dog\n");
  const gold = Array.from({ length: 6 }, (_, at) => `g${at},0.png,Gold ${at},4`);
  await writeFile(join(folder, "gold.csv"), ["id,image,text,value", ...gold, ""].join("\n"));
  const whole = {
    title: "Ends",
    consent: "I agree.",
    open: true,
    blocks: [{ protocol: "rating", from: "items.csv", ratingsPerItem: 9 }],
    disclose: "at-end",
    debrief: "What it was about",
    ...settings,
  };
  await writeFile(join(folder, "study.yaml"), JSON.stringify(whole));
  const directory = join(folder, "study");
  const images = new StudyImages(directory);
  const study = await createStudy(await readStudyConfig("study.yaml", folder), {
    keep: (bytes) => images.write(bytes),
  });
  await createStudyFolder(directory, study);
  const time = { now: Date.parse("2026-11-26T12:00:00Z") };
  const open = async () => {
    const home = await openStudyFolder(directory);
    const service = await StudyService.open(home, { clock: () => time.now });
    const app = studyApp(service, { whoAsks: () => "here" });
    const call = async (
      path: string,
      { session = "", body }: { session?: string | undefined; body?: object },
    ) => {
      const response = await app.request(`/api/${path}`, {
        headers: { Authorization: `Bearer ${session}`, "Content-Type": "application/json" },
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      });
      const json =
        response.status === 204 ? answered.parse({}) : answered.parse(await response.json());
      return { status: response.status, json };
    };
    const come = async (external: object, consent: object = {}) => {
      const joined = await call("participants", { body: { external } });
      if (joined.status !== 201) return { session: "", status: joined.status, json: joined.json };
      const { session, study: shown } = joined.json;
      const agreed = { version: shown?.consent.version, agreed: true, ...consent };
      return { session, ...(await call("consent", { session, body: agreed })) };
    };
    return { home, service, app, call, come };
  };
  return { ...(await open()), open, time, directory };
}

const withheld = { debrief: "What it was about", generated: true };

test("every end tells what was withheld, and offers erasure as long as answers are kept", async () => {
  const { call, come, time } = await served({
    retention: "2026-11-27",
    codes: { finished: "F", left: "L", screenedOut: "S", full: "Q" },
    background: [{ name: "art", question: "Do you paint?", choices: ["yes", "no", "a bit"] }],
    screening: [{ name: "art", accept: ["yes", "a bit"], quotas: { "a bit": 1 } }],
  });
  const enter = async (id: string, art = "yes") => {
    const { session } = await come({ source: "test", id });
    return { session, in: await call("background", { session, body: { art } }) };
  };
  const done = await enter("done");
  const next = await call("next", done);
  const body = { assignment: next.json.assignment, answer: { value: 3 } };
  await call("answers", { ...done, body });
  expect((await call("finish", done)).json).toEqual({ ...withheld, code: "F", canErase: true });

  const leaving = await enter("leaving");
  const left = await call("withdraw", { ...leaving, body: { erase: false } });
  expect(left.json).toMatchObject({ ...withheld, code: "L", canErase: true });
  expect((await call("next", leaving)).json).toMatchObject({ ...withheld, canErase: true });

  await enter("a bit", "a bit");
  for (const [art, code] of [
    ["no", "S"],
    ["a bit", "Q"],
  ] as const) {
    const away = await enter(`away ${art}`, art);
    expect(away.in.json).toMatchObject({ accepted: false, ...withheld, code });
    expect((await call("next", away)).json).toMatchObject({ ...withheld, code });
  }

  time.now += day;
  expect((await call("finish", done)).json).toMatchObject({ canErase: true });
  time.now += day;
  expect((await call("finish", done)).json).toMatchObject({ canErase: false });
  const erased = await call("withdraw", { ...done, body: { erase: true } });
  expect(erased.json).toMatchObject({ erased: true, ...withheld, canErase: false });
});

test("who is screened out can't try other answers, by the same id or invitation, and leaves no id", async () => {
  const screening = {
    background: [{ name: "art", question: "Do you paint?", choices: ["yes", "no"] }],
    screening: [{ name: "art", accept: ["yes"] }],
  };
  const first = await served(screening);
  const outside = { source: "prolific", id: "5f0123" };
  const other = await first.come(outside);
  const { session } = await first.come(outside);
  const invitation = first.service.tokens.newInvitation();
  const invited = await first.service.join({ invite: invitation });
  const { version } = first.home.study.consent;
  await first.service.consent(invited.session, { version, agreed: true });
  for (const one of [session, invited.session]) {
    const out = await first.call("background", { session: one, body: { art: "no" } });
    expect(out.json).toMatchObject({ accepted: false, reason: "screened-out" });
  }
  const lied = await first.call("background", { session: other.session, body: { art: "yes" } });
  expect(lied.json).toMatchObject({ accepted: false, reason: "screened-out" });
  // A server that starts anew knows it still.
  const { call, come, home } = await first.open();
  expect(await come(outside)).toMatchObject({
    status: 403,
    json: { error: { code: "screened-out" }, ...withheld },
  });
  const again = await call("participants", { body: { invite: invitation } });
  expect(again).toMatchObject({ status: 403, json: { error: { code: "screened-out" } } });
  expect((await come({ ...outside, id: "another" })).status).toBe(200);
  expect(JSON.stringify(await home.changes(0))).not.toContain(outside.id);
});

test("consent with boxes needs each of them ticked, and keeps how many", async () => {
  const { come, home } = await served({
    consent: "# Consent\n\n- [ ] I am 18 or older.\n- [ ] I agree.\n- not a box\n",
  });
  const outside = { source: "test", id: "one" };
  for (const boxes of [[], [true], [true, false]]) {
    const refused = await come(outside, { boxes });
    expect(refused).toMatchObject({ status: 400, json: { error: { code: "boxes-missing" } } });
  }
  expect(await come(outside, { boxes: [true, true] })).toMatchObject({ json: { accepted: true } });
  const [one] = (await home.changes(0)).changes;
  expect(one).toMatchObject({ participant: { events: [{ event: "consent", boxes: 2 }] } });
});

test("a platform's names of study and session are kept, and an address without an id lets nobody in", async () => {
  const { come, home, call, app } = await served();
  const outside = { source: "prolific", id: "5f", study: "s1", session: "r1" };
  expect((await come(outside)).status).toBe(200);
  expect((await home.changes(0)).changes).toMatchObject([{ participant: { outside } }]);
  for (const id of ["{{%PROLIFIC_PID%}}", `\${workerId}`, " {id} "]) {
    expect(await come({ source: "prolific", id })).toMatchObject({
      status: 400,
      json: { error: { code: "unreplaced-id" } },
    });
  }
  const looking = { source: "mturk", id: "W", session: "ASSIGNMENT_ID_NOT_AVAILABLE" };
  expect((await come(looking)).status).toBe(400);
  expect((await call("study", {})).json).toMatchObject({
    study: { title: "Ends", consent: { text: "I agree." } },
  });
  const page = await app.request("/");
  expect(page.headers.get("content-security-policy")).toContain("https://*.mturk.com");
});

test("a study by invitation is read by nobody who was not invited", async () => {
  const { call, app } = await served({ open: false });
  expect((await call("study", {})).json).toMatchObject({ error: { code: "by-invitation" } });
  const { headers } = await app.request("/");
  expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
});

test("whoever pays reads outside ids with quality, and neither pseudonyms nor answers", async () => {
  const { call, come, home, service } = await served();
  const outside = { source: "prolific", id: "5f", study: "s1", session: "r1" };
  const { session } = await come(outside);
  const { json: next } = await call("next", { session });
  const body = { assignment: next.assignment, answer: { value: 3 }, milliseconds: 4_000 };
  await call("answers", { session, body });
  await call("finish", { session });
  const rows = payments(home.study, service.state);
  expect(rows).toMatchObject([{ ...outside, finished: 1, answers: 1, median_seconds: 4 }]);
  const [pseudonym = ""] = service.state.participants.keys();
  expect(JSON.stringify(rows)).not.toContain(pseudonym);
});

test("who erased one of two sessions is still one person to whoever pays", async () => {
  const { call, come, service, home } = await served();
  const outside = { source: "test", id: "twice" };
  const { session } = await come(outside);
  await come(outside);
  await call("withdraw", { session, body: { erase: true } });
  await come(outside);
  expect(payments(home.study, service.state)).toMatchObject([outside]);
});

test("who left reads so in the study's language", async () => {
  const { call, come } = await served({ language: "de" });
  const { session } = await come({ source: "test", id: "left" });
  await call("withdraw", { session, body: { erase: false } });
  const { json } = await call("next", { session });
  expect(json).toMatchObject({ error: { message: "Sie haben diese Studie verlassen." } });
});

test("gold items warn who gets some of them wrong, and end the session of who gets more wrong", async () => {
  const { call, come, home } = await served({
    blocks: [{ protocol: "rating", from: "items.csv", gold: "gold.csv", ratingsPerItem: 9 }],
    goldCheck: { after: 2, warnBelow: 0.9, endBelow: 0.4 },
    codes: { failed: "G" },
  });
  /** Answers gold items as the list says until there is nothing more to answer; what was seen. */
  const takePart = async (id: string, answers: readonly number[]) => {
    const { session } = await come({ source: "test", id });
    const warnings: boolean[] = [];
    let golds = 0;
    for (;;) {
      const { status, json } = await call("next", { session });
      if (status !== 200) return { session, status, json, warnings, golds };
      const isGold = json.item?.text.startsWith("Gold") === true;
      warnings.push(json.warning === true);
      const value = isGold ? answers[golds++] : 2;
      await call("answers", { session, body: { assignment: json.assignment, answer: { value } } });
    }
  };
  const careful = await takePart("careful", [4, 4, 4, 4, 4, 4]);
  expect(careful).toMatchObject({ status: 204, golds: 6 });
  expect(careful.warnings).not.toContain(true);
  const warned = await takePart("warned", [4, 1, 4, 4, 4, 4]);
  expect(warned).toMatchObject({ status: 204, golds: 6 });
  expect(warned.warnings).toContain(true);
  const ended = await takePart("ended", [1, 1, 4, 4, 4, 4]);
  const end = { error: { code: "gold-check" }, code: "G", ...withheld, canErase: true };
  expect(ended).toMatchObject({ status: 403, golds: 2, json: end });
  expect(await call("finish", ended)).toMatchObject({ status: 403, json: { code: "G" } });
  // The same id begins no second time.
  expect(await takePart("ended", [4, 4, 4, 4, 4, 4])).toMatchObject({ status: 403, golds: 0 });
  const { answers } = await collect(home);
  const excluded = participantQuality(home.study, answers).map(({ excludedBy }) => excludedBy);
  // Pseudonyms have no order.
  expect(excluded.toSorted()).toEqual([[], [], ["gold-check"]]);
  const erased = await call("withdraw", { ...ended, body: { erase: true } });
  expect(erased.json).toMatchObject({ erased: true });
});
