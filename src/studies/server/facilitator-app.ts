import { type Context, Hono } from "hono";
import type { JsonObject } from "../../core/json.js";
import type { Facilitator } from "./facilitator-service.js";
import { jsonOf } from "./json-body.js";
import { isSame } from "./signed-tokens.js";
import { StudyError } from "./study-error.js";

/** The facilitator's interface of a moderated study, behind a token of its own. */
export function facilitatorApp(service: Facilitator, token: string): Hono {
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
