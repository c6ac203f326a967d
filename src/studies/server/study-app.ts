import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import { TouchstoneError } from "../../core/errors.js";
import { isDeep, type JsonObject } from "../../core/json.js";
import { pageFile } from "../../files/page-files.js";
import { studyStatus } from "../study-status.js";
import type { Facilitator } from "./facilitator-service.js";
import { checked } from "./requests.js";
import { isSame } from "./signed-tokens.js";
import { StudyError } from "./study-error.js";
import type { StudyService } from "./study-service.js";

/** Bytes of the largest body that is read: a sketch is a long list of numbers. */
const mostBodyBytes = 4_000_000;

export interface StudyAppOptions {
  /** Identifies who asks, such as by address: failed attempts are counted by it. */
  readonly whoAsks: (context: Context) => string;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  /** Called with faults of the server, not of the participant. */
  readonly onFault?: (error: unknown) => void;
}

/**
 * The participants' HTTP interface of a study: Request in, Response out (data/study-calls.yaml). JSON; a refusal
 * answers `{error: {code, message}}`.
 */
export function studyApp(
  service: StudyService,
  { whoAsks, clock = Date.now, onFault = () => {} }: StudyAppOptions,
): Hono {
  const app = new Hono();
  const attempts = new Attempts({ most: 30, windowMilliseconds: 60_000 });

  // Set before there is a response: one that is changed afterwards is made twice.
  app.use((context, next) => {
    for (const [name, value] of Object.entries(headers)) context.header(name, value);
    return next();
  });
  app.post("*", limitedBody);

  app.post("/api/participants", async (context) => {
    const who = whoAsks(context);
    if (attempts.isBlocked(who, clock())) {
      context.header("Retry-After", "60");
      throw new StudyError(429, "too-many-attempts", "Too many attempts. Try again in a minute.");
    }
    const body = await jsonOf(context);
    try {
      return context.json({ ...(await service.join(body)) }, 201);
    } catch (error) {
      if (error instanceof StudyError && [401, 403].includes(error.status)) {
        attempts.fail(who, clock());
      }
      throw error;
    }
  });
  const post = (path: string, work: (session: string, body: unknown) => Promise<JsonObject>) =>
    app.post(path, async (context) => {
      const session = sessionOf(context);
      return context.json(await work(session, await jsonOf(context)));
    });
  post("/api/consent", (session, body) => service.consent(session, body));
  post("/api/background", (session, body) => service.background(session, body));
  post("/api/answers", (session, body) => service.answer(session, body));
  post("/api/drafts", (session, body) => service.keepDraft(session, body));
  post("/api/withdraw", (session, body) => service.withdraw(session, body));

  app.get("/api/study", async (context) => context.json({ study: await service.introduction() }));
  app.get("/api/next", async (context) => {
    const next = await service.next(sessionOf(context));
    return next === undefined ? context.body(null, 204) : context.json({ ...next });
  });
  app.get("/api/assignments/:name", async (context) =>
    context.json(await service.assignment(sessionOf(context), context.req.param("name"))),
  );
  app.get("/api/images/:name", async (context) => {
    const image = await service.image(sessionOf(context), context.req.param("name"));
    // The name is this participant's alone, so only their own browser may keep it.
    context.header("Cache-Control", "private, max-age=86400, immutable");
    context.header("Content-Type", image.mediaType);
    return context.body(new Uint8Array(image.bytes));
  });
  app.get("/api/finish", async (context) => context.json(await service.finish(sessionOf(context))));

  if (service.home.study.settings.moderated) {
    app.get("/api/place", async (context) => context.json(await service.place(sessionOf(context))));
    app.route("/facilitator", facilitatorApp(service.facilitator, service.tokens.facilitator));
    app.get("/facilitator", (context) => page(context, "study-facilitator.html"));
  }
  app.route("/admin", adminApp(service));
  app.get("/admin", (context) => page(context, "study-admin.html"));
  app.get("/", (context) => {
    if (service.home.study.settings.open) context.header(policyName, policyFor(mturk));
    return page(context, "study.html");
  });
  app.get("/assets/*", (context) => page(context, "study.html"));
  app.notFound(() => {
    throw new StudyError(404, "unknown-address", "There is nothing here.");
  });
  app.onError((error, context) => {
    if (error instanceof StudyError) {
      const { status, code, message, end } = error;
      return context.json({ error: { code, message }, ...end }, status);
    }
    onFault(error);
    if (error instanceof TouchstoneError && error.code === "store") {
      context.header("Retry-After", "2");
      const message = "The study can't be reached for a moment. Nothing is lost; try again.";
      return context.json({ error: { code: "away", message } }, 503);
    }
    const message = "Something went wrong here. Nothing you sent before is lost; try again.";
    return context.json({ error: { code: "fault", message } }, 500);
  });
  return app;
}

/** MTurk shows a task and its preview in a frame of its page, and takes the finished task by a form. */
const mturk = "https://*.mturk.com";

const policyName = "Content-Security-Policy";
const policyFor = (outside: string) =>
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; " +
  `connect-src 'self'; base-uri 'none'; form-action ${outside}; frame-ancestors ${outside}`;

const headers: Readonly<Record<string, string>> = {
  "Cache-Control": "no-store",
  [policyName]: policyFor("'none'"),
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
};

const tooLarge = () => {
  throw new StudyError(413, "too-large", `Expected at most ${mostBodyBytes} bytes.`);
};

const counted = bodyLimit({ maxSize: mostBodyBytes, onError: tooLarge });

/** Refuses a body that is too long by its header, or by its bytes where the header says nothing. */
const limitedBody: MiddlewareHandler = (context, next) => {
  const length = context.req.header("Content-Length");
  if (length === undefined) return counted(context, next);
  return Number(length) > mostBodyBytes ? tooLarge() : next();
};

/** A built page or one of its files, with the headers that every answer has. */
async function page(context: Context, name: string): Promise<Response> {
  const file = await pageFile(context.req.raw, { page: name });
  return context.newResponse(file.body, file);
}

/** @throws StudyError 401 where there is no bearer token. */
function sessionOf(context: Context): string {
  const [, session] = /^Bearer (\S{1,4000})$/.exec(context.req.header("Authorization") ?? "") ?? [];
  if (session !== undefined) return session;
  throw new StudyError(401, "no-session", "Expected a header Authorization: Bearer SESSION.");
}

const eraseRequest = z.strictObject({ participant: z.string() });
const transcriptRequest = z.looseObject({ participant: z.string() });
const inviteRequest = z.strictObject({ count: z.int().min(1).max(10_000) });

/** The experimenter's interface, behind the study's admin token: status and rare actions. */
function adminApp(service: StudyService): Hono {
  const app = new Hono();
  app.use("/api/*", async (context, next) => {
    const [, token = ""] = /^Bearer (\S+)$/.exec(context.req.header("Authorization") ?? "") ?? [];
    if (!isSame(token, service.home.adminToken)) {
      throw new StudyError(401, "no-admin", "Expected the study's admin token.");
    }
    await next();
  });
  app.get("/api/status", async (context) => {
    const { moderated } = service.home.study.settings;
    // Opens the facilitator's page: whoever runs the study may lead its sessions.
    const facilitator = moderated ? service.tokens.facilitator : null;
    const { isPreview = false } = service.home;
    return context.json({ ...(await studyStatus(service.home)), facilitator, isPreview });
  });
  app.post("/api/erase", async (context) => {
    const { participant } = checked(eraseRequest, await bodyOf(context));
    return context.json({ erased: await service.erase(participant) });
  });
  app.post("/api/invitations", async (context) => {
    const { count } = checked(inviteRequest, await bodyOf(context));
    const invitations = Array.from({ length: count }, () => service.tokens.newInvitation());
    return context.json({ invitations });
  });
  app.post("/api/transcripts", async (context) => {
    const { participant, ...body } = checked(transcriptRequest, await bodyOf(context));
    return context.json(await service.facilitator.transcript(participant, body));
  });
  app.post("/api/close", async (context) => {
    await service.close();
    return context.json({ closedAt: service.closedAt ?? null });
  });
  return app;
}

/** @throws StudyError 400 where the body is not JSON, or is nested too deeply. */
async function bodyOf(context: Context): Promise<unknown> {
  const body: unknown = await context.req.json().catch(() => undefined);
  if (body !== undefined && !isDeep(body)) return body;
  throw new StudyError(400, "malformed", "Expected a body of JSON.");
}

/** Counts failed attempts by who made them, against guessing of invitations. */
export class Attempts {
  readonly #most: number;
  readonly #windowMilliseconds: number;
  readonly #failures = new Map<string, number[]>();

  /** @param options.most failures that are let through within `windowMilliseconds` */
  constructor({ most, windowMilliseconds }: { most: number; windowMilliseconds: number }) {
    this.#most = most;
    this.#windowMilliseconds = windowMilliseconds;
  }

  isBlocked(who: string, now: number): boolean {
    return this.#recent(who, now).length >= this.#most;
  }

  fail(who: string, now: number): void {
    this.#failures.set(who, [...this.#recent(who, now), now]);
    // Addresses without recent failures are forgotten, so the map stays small.
    for (const other of this.#failures.keys()) {
      if (this.#failures.size <= 10_000) return;
      if (this.#recent(other, now).length === 0) this.#failures.delete(other);
    }
  }

  #recent(who: string, now: number): number[] {
    const failures = this.#failures.get(who) ?? [];
    return failures.filter((at) => now - at < this.#windowMilliseconds);
  }
}

/** The facilitator's interface of a moderated study, behind a token of its own. */
function facilitatorApp(service: Facilitator, token: string): Hono {
  const app = new Hono();
  app.use("/api/*", async (context, next) => {
    const [, given = ""] = /^Bearer (\S+)$/.exec(context.req.header("Authorization") ?? "") ?? [];
    if (!isSame(given, token)) {
      throw new StudyError(401, "no-facilitator", "Expected the study's facilitator token.");
    }
    await next();
  });
  app.get("/api/study", (context) => context.json(service.study()));
  app.get("/api/sessions", async (context) => context.json(await service.sessions()));
  app.get("/api/sessions/:id", async (context) =>
    context.json(await service.session(idOf(context))),
  );
  const post = (path: string, work: (id: string, body: unknown) => Promise<JsonObject>) =>
    app.post(`/api/sessions/:id/${path}`, async (context) =>
      context.json(await work(idOf(context), await jsonOf(context))),
    );
  post("steer", (id, body) => service.steer(id, body));
  post("notes", (id, body) => service.note(id, body));
  post("transcripts", (id, body) => service.transcript(id, body));
  app.get("/api/sessions/:id/images/:name", async (context) => {
    const image = await service.image(idOf(context), context.req.param("name"));
    context.header("Cache-Control", "private, max-age=86400, immutable");
    context.header("Content-Type", image.mediaType);
    return context.body(new Uint8Array(image.bytes));
  });
  return app;
}

const idOf = (context: Context): string => context.req.param("id") ?? "";

/** @throws StudyError 400 where the body says that it is no JSON, or as `bodyOf`. */
async function jsonOf(context: Context): Promise<unknown> {
  const type = context.req.header("Content-Type") ?? "";
  if (!/^application\/json\b/i.test(type)) {
    throw new StudyError(400, "malformed", "Expected a body of Content-Type application/json.");
  }
  return bodyOf(context);
}

/**
 * Names who asks: what failed attempts are counted by. Behind a proxy everybody comes from its address, so
 * that one of them could lock all others out; it adds the address that it was asked from at the end of
 * X-Forwarded-For. What stands before that anybody may have written.
 *
 * @param options.forwarded the header, where a proxy is known to stand before this server
 * @example whoAsks({ remote: "127.0.0.1", forwarded: "10.0.0.1, 203.0.113.7" }) // "203.0.113.7"
 */
export function whoAsks({
  remote,
  forwarded,
}: {
  readonly remote: string | undefined;
  readonly forwarded?: string | undefined;
}): string {
  const last = forwarded?.split(",").at(-1)?.trim();
  return last || remote || "unknown";
}
