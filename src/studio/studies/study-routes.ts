import { Hono } from "hono";
import { z } from "zod";
import { checkedRequest } from "../refusal.js";
import type { StudioStudies } from "./studio-studies.js";

const invitations = z.strictObject({
  count: z.int().min(1).max(1000),
  url: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .optional(),
});

/** Routes for the page of a study, below `/api/studies/:study`. */
export function studyRoutes(studies: () => Promise<StudioStudies>): Hono {
  const app = new Hono();
  app.get("/:study", async ({ req, json }) =>
    json(await (await studies()).detail(req.param("study"))),
  );
  app.get("/:study/labels", async ({ req, json }) =>
    json(await (await studies()).labels(req.param("study"))),
  );
  app.post("/:study/invitations", async ({ req, json }) => {
    const body: unknown = await req.json().catch(() => undefined);
    const wanted = checkedRequest(invitations, body);
    return json(await (await studies()).invite(req.param("study"), wanted));
  });
  return app;
}
