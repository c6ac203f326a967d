import { Hono } from "hono";
import { z } from "zod";
import { checkedRequest } from "../refusal.js";
import type { ShownFolder } from "./studio-studies.js";

const invitations = z.strictObject({
  count: z.int().min(1).max(1000),
  url: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .optional(),
});

/** Routes for the page of a study, below `/api/studies/:study`. Its modules are slow to load. */
export function studyRoutes(folder: ShownFolder): Hono {
  const app = new Hono();
  const loaded = () => import("./studio-studies.js");
  app.get("/:study", async ({ req, json }) =>
    json(await (await loaded()).studyDetail(req.param("study"), folder)),
  );
  // What its plan asks next, its raters, and its interval: models that the page does not wait for.
  app.get("/:study/labels", async ({ req, json }) => {
    const { home } = await (await loaded()).openShown(req.param("study"), folder);
    const { studyLabels } = await import("./study-labels.js");
    return json(await studyLabels(home));
  });
  app.post("/:study/invitations", async ({ req, json }) => {
    const wanted = checkedRequest(invitations, await req.json().catch(() => undefined));
    return json(await (await loaded()).studyInvitations(req.param("study"), folder, wanted));
  });
  return app;
}
