import { type Context, Hono } from "hono";
import { z } from "zod";
import { studyStatus } from "../study-status.js";
import { checked } from "./requests.js";
import { isSame } from "./signed-tokens.js";
import { StudyError } from "./study-error.js";
import type { StudyService } from "./study-service.js";

const eraseRequest = z.strictObject({ participant: z.string() });
const transcriptRequest = z.looseObject({ participant: z.string() });
const inviteRequest = z.strictObject({ count: z.int().min(1).max(10_000) });

/** The experimenter's interface, behind the study's admin token: where it stands, and what is rare. */
export function adminApp(service: StudyService): Hono {
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
    // What the facilitator's page is opened with: whoever runs the study may lead its sessions.
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

const bodyOf = (context: Context): Promise<unknown> =>
  context.req.json().catch(() => {
    throw new StudyError(400, "malformed", "Expected a body of JSON.");
  });
