import { type Context, Hono } from "hono";
import { z } from "zod";
import { checkedRequest, Refusal } from "../refusal.js";
import type { ShownFolder } from "./studio-studies.js";

const invitations = z.strictObject({
  count: z.int().min(1).max(1000),
  url: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .optional(),
});

/**
 * Routes for the page of a study, below `/api/studies/:study`. Its modules are slow to load.
 *
 * @param mayWrite whether a request carries the token: links by which anyone can answer go to no other reader
 */
export function studyRoutes(folder: ShownFolder, mayWrite: (context: Context) => boolean): Hono {
  const app = new Hono();
  const loaded = () => import("./studio-studies.js");
  app.get("/:study", async (context) => {
    const { own, ...detail } = await (await loaded()).studyDetail(
      context.req.param("study"),
      folder,
    );
    return context.json({ ...detail, own: mayWrite(context) ? own : null });
  });
  // What its plan asks next, its raters, and its interval: models that the page does not wait for.
  app.get("/:study/labels", async ({ req, json }) => {
    const { openShown, studyLabels } = await loaded();
    return json(await studyLabels((await openShown(req.param("study"), folder)).home));
  });
  app.post("/:study/invitations", async (context) => {
    const { req, json } = context;
    if (!mayWrite(context)) {
      throw new Refusal(401, "no-token", "Expected the studio's token to invite anybody", {
        hint: "Open the link that touchstone studio printed.",
      });
    }
    const wanted = checkedRequest(invitations, await req.json().catch(() => undefined));
    return json(await (await loaded()).studyInvitations(req.param("study"), folder, wanted));
  });
  return app;
}
