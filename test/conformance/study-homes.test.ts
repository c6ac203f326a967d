import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodePng } from "../../src/images/pixels-picture.js";
import { readStudyConfig } from "../../src/studies/config/read-study-config.js";
import { copyStudy } from "../../src/studies/copy-study.js";
import { createStudy } from "../../src/studies/create-study.js";
import { newStudy, openStudy } from "../../src/studies/home/open-study.js";
import { readState } from "../../src/studies/home/read-state.js";
import { StudyService } from "../../src/studies/server/study-service.js";
import { collect } from "../../src/studies/tables/counted-answers.js";
import { exportTable } from "../../src/studies/tables/export-table.js";
import { temporaryDirectory } from "../support/temporary-directory.js";
import { homes } from "./study-homes.js";

const itemCount = 6;
let folder = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "touchstone-studies-"));
  await mkdir(join(folder, "images"));
  for (let at = 0; at < 2 * itemCount; at++) {
    const data = new Uint8Array(8 * 8 * 3).fill(20 * at);
    await writeFile(join(folder, `images/${at}.png`), encodePng({ width: 8, height: 8, data }));
  }
  const rows = Array.from(
    { length: itemCount },
    (_, at) => `i${at},images/${2 * at}.png,images/${2 * at + 1}.png,x,y`,
  );
  await writeFile(
    join(folder, "pairs.csv"),
    ["id,image_a,image_b,model_a,model_b", ...rows, ""].join("\n"),
  );
});

afterAll(() => rm(folder, { recursive: true, force: true }));

let studies = 0;

/** A study of pairs at a new place, with these settings beside. */
async function studyAt(place: string, { block = {}, ...settings }: Record<string, unknown> = {}) {
  const file = `study-${studies++}.yaml`;
  const blocks = [{ protocol: "pairwise", from: "pairs.csv", ...Object(block) }];
  const whole = { title: "Pairs", consent: "I agree.", open: true, blocks, ...settings };
  await writeFile(join(folder, file), JSON.stringify(whole));
  const made = await newStudy(place);
  await made.create(
    await createStudy(await readStudyConfig(file, folder), {
      keep: (bytes) => made.images.write(bytes),
    }),
  );
  return place;
}

let joins = 0;

async function joined(service: StudyService, id = `id-${joins++}`) {
  const { session, participant } = await service.join({ external: { source: "test", id } });
  const { version } = service.home.study.consent;
  const { reason } = await service.consent(session, { version, agreed: true });
  return { session, participant, reason };
}

describe.each(homes)("a study in a $name", ({ start, newPlace, missing }) => {
  if (missing !== undefined) {
    test.skip(missing, () => {});
    return;
  }
  let end = async () => {};
  beforeAll(async () => {
    end = await start();
  });
  const otherEnds: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const one of [...otherEnds, end]) await one();
  });

  /** Servers of one study: as many as its home allows. */
  async function serversOf(place: string, clock?: () => number) {
    const open = async () =>
      StudyService.open(await openStudy(place), clock === undefined ? {} : { clock });
    const one = await open();
    return [one, one.home.isShared ? await open() : one] as const;
  }

  test("many at once over all servers: each item has its ratings, none twice, sides balanced", async () => {
    const people = 12;
    const place = await studyAt(await newPlace(), {
      participants: people,
      block: { ratingsPerItem: 4, itemsPerParticipant: 2 },
    });
    const servers = await serversOf(place);
    const answered = await Promise.all(
      Array.from({ length: people }, async (_, at) => {
        // Each call goes to another server than the one before.
        let calls = at;
        const server = () => servers[calls++ % 2] ?? servers[0];
        const { session } = await joined(server());
        const assignments: string[] = [];
        for (;;) {
          const next = await server().next(session);
          if (next === undefined) return assignments;
          const again = await server().next(session);
          expect({ ...again, upcoming: [] }).toEqual({ ...next, upcoming: [] });
          const [name = ""] = next.item.a as string[];
          expect((await server().image(session, name)).bytes.length).toBeGreaterThan(0);
          const body = { assignment: next.assignment, answer: { preferred: "a" } };
          // A network that repeats a request, to different servers at once.
          const twice = [server().answer(session, body), server().answer(session, body)];
          expect(await Promise.all(twice)).toEqual([{ accepted: true }, { accepted: true }]);
          assignments.push(next.assignment);
        }
      }),
    );
    expect(answered.map(({ length }) => length)).toEqual(Array.from({ length: people }, () => 2));
    const { answers, state } = await collect(await openStudy(place));
    expect(answers).toHaveLength(itemCount * 4);
    expect(new Set(answers.map(({ participant, item }) => `${participant} ${item.id}`)).size).toBe(
      answers.length,
    );
    for (let at = 0; at < itemCount; at++) {
      const own = answers.filter(({ item }) => item.id === `i${at}`);
      expect(own).toHaveLength(4);
      const sides = own.reduce((sum, { swapped }) => sum + (swapped ? -1 : 1), 0);
      expect(Math.abs(sides)).toBeLessThanOrEqual(1);
    }
    const ordinals = [...state.participants.values()].map(({ ordinal }) => ordinal);
    expect(ordinals.sort((a, b) => a - b)).toEqual(ordinals.map((_, at) => at));
    await expect(joined(servers[1])).resolves.toMatchObject({ reason: "quota-full" });
  });

  test("two at a last place over two servers: one is let in", async () => {
    const place = await studyAt(await newPlace(), {
      background: [{ name: "sex", question: "Your sex?", choices: ["f", "m"] }],
      screening: [{ name: "sex", accept: ["f", "m"], quotas: { f: 1 } }],
    });
    const servers = await serversOf(place);
    const outcomes = await Promise.all(
      servers.map(async (server) => {
        const { session } = await joined(server);
        const { reason = "in" } = await server.background(session, { sex: "f" });
        return reason;
      }),
    );
    expect(outcomes.sort()).toEqual(["in", "quota-full"]);
  });

  test("what one server did holds on the other: withdrawal, correction, erasure, the end", async () => {
    const place = await studyAt(await newPlace());
    const [one, other] = await serversOf(place);
    const anna = await joined(one);
    const ben = await joined(other);
    const next = await one.next(anna.session);
    const { assignment = "" } = next ?? {};
    await other.answer(anna.session, { assignment, answer: { preferred: "a" } });
    await one.answer(anna.session, { assignment, answer: { preferred: "b" } });
    const now = await other.assignment(anna.session, assignment);
    expect(now.answer).toEqual({ preferred: "b" });
    await one.next(ben.session);
    await one.withdraw(ben.session, { erase: true });
    await expect(other.next(ben.session)).rejects.toMatchObject({ code: "withdrawn" });
    await other.erase(anna.participant);
    await expect(one.next(anna.session)).rejects.toMatchObject({ code: "withdrawn" });
    await one.close();
    await expect(joined(other)).rejects.toMatchObject({ code: "closed" });
    const stored = await (await openStudy(place)).changes(0);
    expect(JSON.stringify(stored.changes)).not.toContain(anna.participant);
    const state = await readState(await openStudy(place));
    expect(state.participants.size).toBe(0);
    expect(state.removals.map(({ reason }) => reason)).toEqual(["erased", "erased"]);
    expect(state.closedAt).toBeGreaterThan(0);
  });

  test("a draft is found on each server and in a copy, and goes with its answer, its person, or who leaves", async () => {
    const place = await studyAt(await newPlace());
    const [one, other] = await serversOf(place);
    const [anna, ben, cleo] = [await joined(one), await joined(one), await joined(one)];
    const openOf = async ({ session }: { readonly session: string }) => {
      const { assignment = "", draft } = (await other.next(session)) ?? {};
      return { assignment, draft };
    };
    const { assignment } = await openOf(anna);
    for (const why of ["it is sh", "it is sharper by far"]) {
      await one.keepDraft(anna.session, { assignment, draft: { answer: { why }, step: 1 } });
    }
    const draft = { answer: { why: "it is sharper by far" }, step: 1 };
    expect((await openOf(anna)).draft).toEqual(draft);
    expect((await other.assignment(anna.session, assignment)).draft).toEqual(draft);
    // Opened anew, as after a restart, and somewhere else.
    const copy = await otherPlace();
    await copyStudy(place, copy);
    for (const where of [place, copy]) {
      const { state, answers } = await collect(await openStudy(where));
      expect(state.participants.get(anna.participant)?.drafts).toEqual({ [assignment]: draft });
      expect(answers).toEqual([]);
    }
    const foreign = { assignment, draft: { answer: { why: "not mine" } } };
    await expect(other.keepDraft(ben.session, foreign)).rejects.toMatchObject({ status: 404 });

    const stored = async () => JSON.stringify((await (await openStudy(place)).changes(0)).changes);
    expect(await stored()).not.toContain('it is sh"');
    await other.answer(anna.session, { assignment, answer: { preferred: "a", why: "in short" } });
    expect(await stored()).not.toContain("by far");
    for (const { session } of [ben, cleo]) {
      const { assignment: name } = await openOf({ session });
      await one.keepDraft(session, { assignment: name, draft: { note: "never sent" } });
    }
    await other.withdraw(ben.session, { erase: false });
    expect((await stored()).match(/never sent/g)).toHaveLength(1);
    await other.erase(cleo.participant);
    expect(await stored()).not.toContain("never sent");
    await copyStudy(place, copy);
    expect(JSON.stringify((await (await openStudy(copy)).changes(0)).changes)).not.toContain(
      "by far",
    );
  });

  test("practice comes first and once, over servers and sessions, is told of, and counts nowhere", async () => {
    await writeFile(
      join(folder, "practice.csv"),
      "id,image_a,image_b,value,feedback\nd1,images/0.png,images/1.png,b,It is sharper.\nd2,images/2.png,images/3.png,a,\n",
    );
    const place = await studyAt(await newPlace(), { block: { practice: "practice.csv" } });
    const [one, other] = await serversOf(place);
    const { session } = await joined(one, "anna");
    const answered = async (preferred: string) => {
      const { assignment = "", practice, number, progress } = (await one.next(session)) ?? {};
      const body = { assignment, answer: { preferred } };
      const { feedback } = await other.answer(session, body);
      // Sent again by a page that did not hear it, it is told again.
      expect(await one.answer(session, body)).toEqual({
        accepted: true,
        ...(feedback && { feedback }),
      });
      return { practice, number, done: progress?.done, feedback };
    };
    expect(await answered("a")).toEqual({
      practice: { number: 1, total: 2 },
      number: 1,
      done: 0,
      feedback: { right: false, expected: { preferred: "b" }, text: "It is sharper." },
    });
    const open = (await other.next(session))?.assignment ?? "";
    expect(await other.answer(session, { assignment: open, skipped: true })).toEqual({
      accepted: true,
      feedback: { right: null, expected: { preferred: "a" } },
    });
    expect(await answered("a")).toMatchObject({ practice: undefined, number: 1, done: 0 });
    // The same person in another session has practised already.
    const again = await joined(other, "anna");
    expect(await other.next(again.session)).toMatchObject({ number: 2, progress: { done: 1 } });

    const copy = await otherPlace();
    await copyStudy(place, copy);
    for (const where of [place, copy]) {
      const home = await openStudy(where);
      const { answers, state } = await collect(home);
      expect(answers.map(({ kind }) => kind)).toEqual(["item"]);
      const [stored] = state.participants.values();
      const kinds = [...(stored?.assignments.values() ?? [])].map(
        ({ assignment }) => assignment.kind,
      );
      expect(kinds).toEqual(["practice", "practice", "item"]);
      const [first] = home.study.blocks[0]?.practice ?? [];
      for (const hash of first?.images ?? []) {
        expect((await home.image(hash)).length).toBeGreaterThan(0);
      }
      expect(first?.images.length).toBe(2);
    }
  });

  test("who goes back is told where they are", async () => {
    const place = await studyAt(await newPlace());
    const [one] = await serversOf(place);
    const { session } = await joined(one);
    const names: string[] = [];
    for (let at = 0; at < 3; at++) {
      const { assignment = "", number, before } = (await one.next(session)) ?? {};
      expect([number, before]).toEqual([at + 1, names.at(-1) ?? null]);
      if (at < 2) await one.answer(session, { assignment, answer: { preferred: "a" } });
      names.push(assignment);
    }
    // A correction does not change its place.
    await one.answer(session, { assignment: names[0], answer: { preferred: "b" } });
    const [first, second] = [
      await one.assignment(session, names[0] ?? ""),
      await one.assignment(session, names[1] ?? ""),
    ];
    expect([first.number, first.before]).toEqual([1, null]);
    expect([second.number, second.before]).toEqual([2, names[0]]);
  });

  test("an item that somebody has open is another server's to give when its lease has run out", async () => {
    let now = 1_700_000_000_000;
    const place = await studyAt(await newPlace(), {
      leaseMinutes: 10,
      block: { ratingsPerItem: 1, sample: 1 },
    });
    const [one, other] = await serversOf(place, () => now);
    const [anna, ben] = [await joined(one), await joined(other)];
    expect(await one.next(anna.session)).toBeDefined();
    expect(await other.next(ben.session)).toBeUndefined();
    now += 10 * 60_000;
    expect(await other.next(ben.session)).toBeDefined();
  });

  test("who never comes back keeps their place for a while, and goes on with what is left", async () => {
    let now = 1_700_000_000_000;
    const place = await studyAt(await newPlace(), {
      participants: 1,
      placeHours: 2,
      block: { ratingsPerItem: 1 },
    });
    const [one, other] = await serversOf(place, () => now);
    const anna = await joined(one);
    await one.next(anna.session);
    now += 2 * 3_600_000 - 1;
    await expect(joined(other)).resolves.toMatchObject({ reason: "quota-full" });
    now += 1;
    const ben = await joined(other);
    expect(await other.next(ben.session)).toBeDefined();
    // There was one place, and it is Ben's by now.
    await expect(joined(one)).resolves.toMatchObject({ reason: "quota-full" });
    expect(await one.next(anna.session)).toBeDefined();
  });

  test("a facilitator leads on one server whom a participant follows on the other", async () => {
    const place = await studyAt(await newPlace(), { moderated: true });
    const [one, other] = await serversOf(place);
    const { session, participant } = await joined(one);
    const place0 = await one.place(session);
    const assignment = String(place0.assignment);
    await one.answer(session, { assignment, answer: { preferred: "a" } });
    const note = { id: "n1", text: "hesitates", codes: [] };
    await Promise.all([
      other.facilitator.note(participant, note),
      one.facilitator.note(participant, note),
    ]);
    const seen = await other.facilitator.steer(participant, { to: "next" });
    expect(seen.notes).toMatchObject([{ id: "n1", text: "hesitates" }]);
    expect((await one.place(session)).assignment).toBe(seen.assignment);
    expect(seen.assignment).not.toBe(assignment);
  });

  test("a copy has the same tables, grows with its study, and follows erasures", async () => {
    const place = await studyAt(await newPlace());
    const [one] = await serversOf(place);
    const people = [await joined(one), await joined(one), await joined(one)];
    const answerAll = async (session: string, count: number) => {
      for (let at = 0; at < count; at++) {
        const { assignment } = (await one.next(session)) ?? {};
        await one.answer(session, { assignment, answer: { preferred: at % 2 ? "b" : "a" } });
      }
    };
    for (const [at, { session }] of people.entries()) await answerAll(session, at + 1);
    const [elsewhere, back] = [await otherPlace(), join(await temporaryDirectory(), "back")];
    expect(await copyStudy(place, elsewhere)).toMatchObject({ participants: 3, images: 12 });
    expect(await copyStudy(elsewhere, back)).toMatchObject({ participants: 3 });
    expect(await copyStudy(elsewhere, back)).toEqual({
      images: 0,
      participants: 0,
      events: 0,
      erased: 0,
    });
    const tableOf = async (of: string) => {
      const home = await openStudy(of);
      const table = exportTable(home.study, {
        ...(await collect(home)),
        table: "preferences",
      });
      return JSON.stringify(table);
    };
    const table = await tableOf(place);
    expect(await tableOf(elsewhere)).toBe(table);
    expect(await tableOf(back)).toBe(table);
    await answerAll(people[0]?.session ?? "", 1);
    await one.erase(people[1]?.participant ?? "");
    expect(await copyStudy(place, elsewhere)).toMatchObject({ events: 2, erased: 1 });
    expect(await tableOf(elsewhere)).toBe(await tableOf(place));
    // Who holds a session of the study has it in the copy.
    const copy = await StudyService.open(await openStudy(back));
    await expect(copy.next(people[0]?.session ?? "")).resolves.toBeDefined();
    await joined(copy);
    await expect(copyStudy(place, back)).rejects.toThrow(/went on by itself/);
  });

  /** A new place in the other kind of home, where that is there; else in the same. */
  async function otherPlace(): Promise<string> {
    const other = homes.find((home) => home.newPlace !== newPlace && home.missing === undefined);
    if (other === undefined) return newPlace();
    otherEnds.push(await other.start());
    return other.newPlace();
  }
});
