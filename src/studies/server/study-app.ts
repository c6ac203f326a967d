import { type Context, Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { TouchstoneError } from "../../core/errors.js";
import type { JsonObject } from "../../core/json.js";
import { pageFile } from "../../files/page-files.js";
import { adminApp } from "./admin-app.js";
import { Attempts } from "./attempts.js";
import { facilitatorApp } from "./facilitator-app.js";
import { jsonOf } from "./json-body.js";
import { StudyError } from "./study-error.js";
import type { StudyService } from "./study-service.js";

/** Bytes of the largest body that is read: a sketch is a long list of numbers. */
const mostBodyBytes = 4_000_000;

export interface StudyAppOptions {
  /** Who asks, such as their address: what failed attempts are counted by. */
  readonly whoAsks: (context: Context) => string;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  /** Told of what went wrong here, not at the participant's. */
  readonly onFault?: (error: unknown) => void;
}

/**
 * The participants' interface of a study over HTTP: Request in, Response out (studies.md). JSON; what
 * is refused answers `{error: {code, message}}`.
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

/** MTurk shows a task, and its preview, in a frame of its own page. */
const mturk = "https://*.mturk.com";

const policyName = "Content-Security-Policy";
const policyFor = (frames: string) =>
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; " +
  `connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors ${frames}`;

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

/** Refuses a body by the length that its header says, where there is one; else by what comes. */
const limitedBody: MiddlewareHandler = (context, next) => {
  const length = context.req.header("Content-Length");
  if (length === undefined) return counted(context, next);
  return Number(length) > mostBodyBytes ? tooLarge() : next();
};

/** A built page or one of its files, with the headers of all that is answered. */
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
