import { readFile } from "node:fs/promises";
import { type Context, Hono } from "hono";
import { z } from "zod";
import { checkedRequest, Refusal } from "../refusal.js";
import { reportPageResponse } from "../reports/reports.js";
import type { Starts } from "./job-api.js";
import type { Jobs } from "./jobs.js";
import { placesBelow, tablePreview } from "./places.js";

const entry = z.union([
  z.string().max(10_000),
  z.array(z.string().max(10_000)).max(100),
  z.boolean(),
]);
const asked = z.strictObject({
  verb: z.string().max(100),
  filled: z.record(z.string().max(100), entry),
});

/** What the routes of jobs need; without `starts` nothing can be started. */
interface JobRoutes {
  readonly root: string;
  readonly shown: string;
  readonly starts: Starts | undefined;
  readonly jobs: () => Promise<Jobs | undefined>;
  /** Whether a request carries the token. */
  readonly mayStart: (context: Context) => boolean;
}

const notHere = "Nothing can be started from here: this studio was opened without";

/** Routes for starting and watching, below `/api/jobs`. Only a POST with the token changes anything. */
export function jobRoutes({ root, shown, starts, jobs, mayStart }: JobRoutes): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    if (!["GET", "HEAD"].includes(context.req.method) && !mayStart(context)) {
      throw new Refusal(401, "no-token", "Expected the studio's token to start or stop anything", {
        hint: "Open the link that touchstone studio printed.",
      });
    }
    await next();
  });
  const known = async (): Promise<Jobs> => {
    const found = await jobs();
    if (found === undefined) throw new Refusal(404, "no-jobs", notHere);
    return found;
  };
  app.get("/", async ({ json }) => json({ jobs: (await (await jobs())?.list()) ?? [] }));
  app.get("/new", async (context) => {
    if (starts === undefined) throw new Refusal(404, "no-jobs", notHere);
    const named = await starts.named();
    return context.json({
      forms: await starts.forms(),
      ...named,
      places: await placesBelow(root),
      directory: shown,
      mayStart: mayStart(context),
    });
  });
  app.get("/table", async ({ req, json }) =>
    json(await tablePreview(root, req.query("file") ?? "")),
  );
  app.post("/", async ({ req, json }) => {
    const { verb, filled } = checkedRequest(asked, await req.json().catch(() => undefined));
    return json(await (await known()).start(verb, filled));
  });
  app.post("/estimate", async ({ req, json }) => {
    const { verb, filled } = checkedRequest(asked, await req.json().catch(() => undefined));
    return json(await (await known()).estimate(verb, filled, req.raw.signal));
  });
  app.get("/:job", async ({ req, json }) => json(await (await known()).detail(req.param("job"))));
  app.get("/:job/page", async ({ req }) => {
    const path = await (await known()).pageOf(req.param("job"));
    if (path === undefined) throw new Refusal(404, "no-page", "This job wrote no page");
    return reportPageResponse(await readFile(path, "utf8"));
  });
  app.post("/:job/stop", async ({ req, json }) => {
    await (await known()).stop(req.param("job"));
    return json({ stopping: true });
  });
  app.post("/:job/resume", async ({ req, json }) =>
    json(await (await known()).resume(req.param("job"))),
  );
  app.post("/:job/go-on", async ({ req, json }) =>
    json(await (await known()).goOn(req.param("job"))),
  );
  app.post("/:job/retry", async ({ req, json }) =>
    json(await (await known()).resume(req.param("job"), { retries: true })),
  );
  return app;
}
