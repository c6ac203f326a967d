import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type Context, Hono } from "hono";
import { z } from "zod";
import { filesBelow } from "../../files/files-below.js";
import { readTable } from "../../files/read-table.js";
import { cellText } from "../../tables/cell-json.js";
import { checkedRequest, Refusal } from "../refusal.js";
import { reportPageResponse } from "../reports/reports.js";
import type { Starts, TablePreview } from "./job-api.js";
import { refuseOutside } from "./job-files.js";
import type { Jobs } from "./jobs.js";

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

const tables = [".csv", ".tsv", ".jsonl", ".json", ".parquet"];
const others = [".yaml", ".yml", ".txt", ".mjs", ".py"];
const images = [".png", ".jpg", ".jpeg", ".webp"];
/** More than anybody looks through; what is not listed can be typed. */
const mostPlaces = 1000;
const rowsShown = 5;

/** Files that verbs read and folders of images, below a folder and by name. */
async function placesBelow(root: string): Promise<readonly string[]> {
  const found = await filesBelow(root, [...tables, ...others, ...images]);
  const isImage = (name: string) => images.some((ending) => name.toLowerCase().endsWith(ending));
  const folders = new Set(
    found.flatMap(({ name }) => (isImage(name) && name.includes("/") ? [dirname(name)] : [])),
  );
  const files = found.flatMap(({ name }) => (isImage(name) ? [] : [name]));
  return [...folders, ...files].sort().slice(0, mostPlaces);
}

/**
 * The columns and first rows of a table below a folder.
 *
 * @throws Refusal where it lies outside or is no such file; InputError where it can't be read as a table.
 */
async function tablePreview(root: string, name: string): Promise<TablePreview> {
  const path = resolve(root, name);
  const isTable = tables.some((ending) => name.toLowerCase().endsWith(ending));
  await refuseOutside({ file: name }, root);
  if (!isTable) {
    throw new Refusal(404, "no-table", "There is no such table in the folder that is shown");
  }
  const rows: Readonly<Record<string, unknown>>[] = [];
  for await (const { all } of readTable({ source: { name, path }, columns: {} })) {
    rows.push(all);
    if (rows.length === rowsShown) break;
  }
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return { columns, rows: rows.map((row) => columns.map((column) => cellText(row[column]))) };
}
