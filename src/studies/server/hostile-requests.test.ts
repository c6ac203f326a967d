import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { knownStudy } from "../../../test/support/known-study.js";

/** One request that somebody sends who should not, and how it is refused. */
interface Hostile {
  readonly what: string;
  readonly path: string;
  readonly method?: string;
  readonly session?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON where it is no text. */
  readonly body?: unknown;
  readonly status: number;
  readonly code?: string;
}

test("hostile requests are refused as the table of errors says, and betray nothing", async () => {
  const { app, anna, ben, left, joined, service } = await knownStudy();
  const [payload = "", mac = ""] = anna.session.split(".");
  const own = JSON.parse(Buffer.from(payload, "base64url").toString());
  const sealed = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const otherMac = createHmac("sha256", "another secret")
    .update(payload)
    .digest("base64url")
    .slice(0, 22);
  const { version } = service.home.study.consent;
  const used = anna.invite;
  const answer = { assignment: ben.assignment, answer: { value: 1 } };
  const mine = { assignment: anna.assignment, answer: { value: 1 } };
  const s = anna.session;
  const hostile: readonly Hostile[] = [
    { what: "no session", path: "next", status: 401, code: "no-session" },
    { what: "no bearer", path: "next", headers: { Authorization: `Basic ${s}` }, status: 401 },
    {
      what: "a session of letters",
      path: "next",
      session: "x",
      status: 401,
      code: "unknown-session",
    },
    {
      what: "a session of another server",
      path: "next",
      session: `${payload}.${otherMac}`,
      status: 401,
    },
    {
      what: "other bits under one's own signature",
      path: "next",
      session: `${sealed({ ...own, bits: "0" })}.${mac}`,
      status: 401,
    },
    {
      what: "somebody else's name under one's own signature",
      path: "next",
      session: `${sealed({ ...own, participant: ben.participant })}.${mac}`,
      status: 401,
    },
    { what: "a signature cut short", path: "next", session: s.slice(0, -1), status: 401 },
    { what: "a session with a third part", path: "next", session: `${s}.${mac}`, status: 401 },
    { what: "a session of 5,000 letters", path: "next", session: "a".repeat(5_000), status: 401 },
    {
      what: "an item before consent",
      path: "next",
      session: joined.session,
      status: 403,
      code: "consent-first",
    },
    {
      what: "an answer before consent",
      path: "answers",
      session: joined.session,
      body: mine,
      status: 403,
      code: "consent-first",
    },
    {
      what: "an image before consent",
      path: `images/${anna.image}`,
      session: joined.session,
      status: 403,
      code: "consent-first",
    },
    {
      what: "background before consent",
      path: "background",
      session: joined.session,
      body: {},
      status: 403,
    },
    { what: "the end before consent", path: "finish", session: joined.session, status: 403 },
    {
      what: "consent to another text",
      path: "consent",
      session: joined.session,
      body: { version: "other", agreed: true },
      status: 409,
      code: "consent-version",
    },
    {
      what: "the end before the last item",
      path: "finish",
      session: s,
      status: 409,
      code: "not-finished",
    },
    {
      what: "somebody else's assignment",
      path: `assignments/${ben.assignment}`,
      session: s,
      status: 404,
      code: "unknown-assignment",
    },
    {
      what: "an answer to somebody else's assignment",
      path: "answers",
      session: s,
      body: answer,
      status: 404,
    },
    {
      what: "somebody else's image",
      path: `images/${ben.image}`,
      session: s,
      status: 404,
      code: "unknown-image",
    },
    {
      what: "an image by its hash",
      path: `images/${service.home.study.blocks[0]?.items[0]?.images[0]}`,
      session: s,
      status: 404,
    },
    {
      what: "a path out of the images",
      path: "images/..%2f..%2fsecret.json",
      session: s,
      status: 404,
    },
    { what: "the study's file", path: "../study.json", status: 404 },
    {
      what: "a level that there is none of",
      path: "answers",
      session: s,
      body: { ...mine, answer: { value: 9 } },
      status: 400,
      code: "malformed",
    },
    {
      what: "a member that nobody asked for",
      path: "answers",
      session: s,
      body: { ...mine, answer: { value: 1, participant: ben.participant } },
      status: 400,
    },
    {
      what: "an answer of another protocol",
      path: "answers",
      session: s,
      body: { ...mine, answer: { preferred: "a" } },
      status: 400,
    },
    {
      what: "a draft that is nested 100,000 deep",
      path: "drafts",
      session: s,
      body: `{"assignment":"${anna.assignment}","draft":{"note":${"[".repeat(1e5)}${"]".repeat(1e5)}}}`,
      status: 400,
      code: "malformed",
    },
    {
      what: "an assignment that is a list",
      path: "answers",
      session: s,
      body: { ...mine, assignment: [anna.assignment] },
      status: 400,
    },
    {
      what: "a form",
      path: "answers",
      session: s,
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: "assignment=1",
      status: 400,
    },
    {
      what: "half a body of JSON",
      path: "answers",
      session: s,
      body: '{"assignment":',
      status: 400,
    },
    {
      what: "a prototype",
      path: "background",
      session: s,
      body: '{"__proto__": {"a": "b"}, "constructor": "x"}',
      status: 400,
    },
    {
      what: "a note of 20 kB",
      path: "answers",
      session: s,
      body: { ...mine, note: "x".repeat(20_000) },
      status: 400,
    },
    {
      what: "a body of 4 MB",
      path: "answers",
      session: s,
      body: { note: "x".repeat(4_000_001) },
      status: 413,
      code: "too-large",
    },
    {
      what: "a draft of somebody else's assignment",
      path: "drafts",
      session: s,
      body: { assignment: ben.assignment, draft: { note: "mine" } },
      status: 404,
      code: "unknown-assignment",
    },
    {
      what: "a draft before consent",
      path: "drafts",
      session: joined.session,
      body: { assignment: anna.assignment, draft: {} },
      status: 403,
      code: "consent-first",
    },
    {
      what: "a draft that is a text",
      path: "drafts",
      session: s,
      body: { assignment: anna.assignment, draft: "x" },
      status: 400,
    },
    {
      what: "a draft after leaving",
      path: "drafts",
      session: left.session,
      body: { assignment: anna.assignment, draft: {} },
      status: 403,
      code: "withdrawn",
    },
    {
      what: "an answer after leaving",
      path: "answers",
      session: left.session,
      body: mine,
      status: 403,
      code: "withdrawn",
    },
    {
      what: "an item after leaving",
      path: "next",
      session: left.session,
      status: 403,
      code: "withdrawn",
    },
    {
      what: "consent again after erasure",
      path: "consent",
      session: left.session,
      body: { version, agreed: true },
      status: 403,
    },
    {
      what: "coming back after erasure",
      path: "participants",
      body: { resume: left.session },
      status: 403,
    },
    {
      what: "an invitation that was used",
      path: "participants",
      body: { invite: used },
      status: 409,
      code: "used-invitation",
    },
    {
      what: "an invitation that was changed",
      path: "participants",
      body: { invite: `${used.startsWith("A") ? "B" : "A"}${used.slice(1)}` },
      status: 403,
      code: "unknown-invitation",
    },
    { what: "an invitation as a session", path: "next", session: used, status: 401 },
    {
      what: "a session as an invitation",
      path: "participants",
      body: { invite: s.slice(0, 400) },
      status: 403,
    },
    {
      what: "an outside id where there are invitations only",
      path: "participants",
      body: { external: { source: "x", id: "y" } },
      status: 403,
      code: "by-invitation",
    },
    {
      what: "both ways at once",
      path: "participants",
      body: { invite: used, resume: s },
      status: 400,
    },
    { what: "another method", path: "answers", method: "PUT", session: s, body: mine, status: 404 },
    {
      what: "the researcher's status with a participant's session",
      path: "../admin/api/status",
      session: s,
      status: 401,
      code: "no-admin",
    },
    {
      what: "erasure by a participant",
      path: "../admin/api/erase",
      session: s,
      body: { participant: ben.participant },
      status: 401,
    },
    {
      what: "erasure without a token",
      path: "../admin/api/erase",
      body: { participant: ben.participant },
      status: 401,
    },
  ];
  expect(hostile.length).toBeGreaterThanOrEqual(30);
  const send = ({ path, method, session, headers = {}, body }: Omit<Hostile, "what" | "status">) =>
    app.fetch(
      new Request(new URL(path, "http://study/api/"), {
        method: method ?? (body === undefined ? "GET" : "POST"),
        headers: {
          ...(session === undefined ? {} : { Authorization: `Bearer ${session}` }),
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          ...headers,
        },
        ...(body === undefined
          ? {}
          : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),
    );
  const before = JSON.stringify([...service.state.participants]);
  for (const { what, status, code, ...request } of hostile) {
    const response = await send(request);
    const text = await response.text();
    expect(response.status, `${what}: ${text}`).toBe(status);
    const { error } = JSON.parse(text);
    expect(typeof error.message, what).toBe("string");
    if (code !== undefined) expect(error.code, what).toBe(code);
    const received = `${JSON.stringify([...response.headers])}${text}`;
    for (const secret of ["secret-model", ".png", ben.participant, "at file", "node_modules"]) {
      expect(received, what).not.toContain(secret);
    }
  }
  expect(JSON.stringify([...service.state.participants])).toBe(before);

  // The same answer replayed counts once.
  for (let time = 0; time < 3; time++) {
    expect((await send({ path: "answers", session: s, body: mine })).status).toBe(200);
  }
  const given = service.state.participants.get(anna.participant)?.assignments;
  expect([...(given ?? [])].map(([, { answers }]) => answers.length)).toEqual([1]);

  // Invitations can't be guessed by the thousand; nobody else is kept out by who tries.
  const guess = { path: "participants", body: { invite: "guess.guess" } };
  let last = 0;
  for (let time = 0; time < 40; time++) last = (await send(guess)).status;
  expect(last).toBe(429);
  const elsewhere = { ...guess, body: { invite: anna.fresh }, headers: { "x-who": "another" } };
  expect((await send(elsewhere)).status).toBe(201);
});
