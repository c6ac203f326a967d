import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import { tripletOf } from "../analysis/pairs/image-pairs.js";
import { readExcluded, writeExcluded } from "../benchmarks/prototypicality/run-filter.js";
import { once } from "../core/cache.js";
import type { Hash } from "../core/keys.js";
import { openDocuments } from "../files/open-store.js";
import { pageFile } from "../files/page-files.js";
import { standingOverview } from "../report/standing.js";
import type { RunList } from "./api.js";
import type { ShownAudit } from "./audits/audit-api.js";
import { selectSets } from "./audits/select-sets.js";
import { FoundFiles } from "./found-files.js";
import { carries, guard, safeHeaders } from "./guard.js";
import { imageResponse, StudioImages, widthOf } from "./images.js";
import { itemDetail } from "./item-detail.js";
import { gridQuery, isWhole, itemQuery, pairsQuery } from "./item-query.js";
import type { Starts } from "./jobs/job-api.js";
import { jobRoutes } from "./jobs/job-routes.js";
import { KeptForRun } from "./kept-for-run.js";
import { noteRoutes } from "./notes/note-routes.js";
import { checkedRequest, problemOf, Refusal } from "./refusal.js";
import { Reviews, reviewRoutes } from "./reviews/reviews.js";
import type { RunView } from "./run-view.js";
import { pathOf, StudioRuns } from "./runs.js";
import { scoreRoutes } from "./scores/score-files.js";
import { selectItems, selectPairs } from "./select-items.js";
import { studyRoutes } from "./studies/study-routes.js";

export interface StudioOptions {
  /** The folder whose result files are shown, and its runs; small copies of images are kept in it. */
  readonly root: string;
  /** How the person who opened it named the folder. */
  readonly shown?: string;
  /** Where images that a run refers to may lie beside the folder; "anywhere" for whoever trusts it. */
  readonly imageFolders?: readonly string[] | "anywhere";
  /** Token that is required; without one only this machine is answered. */
  readonly token?: string | undefined;
  /** How verbs are started; without it nothing is. */
  readonly starts?: Starts | undefined;
  /** Ends what is told to pages as it happens. */
  readonly signal?: AbortSignal;
  /** Where the built page lies; in the package if not given. */
  readonly pages?: URL;
  /** Told of faults of ours, which requests are told nothing of. */
  readonly onFault?: (error: unknown) => void;
  /** When notes are made. */
  readonly now?: () => Date;
}

const mostBytes = 1024 * 1024;
const mostCompared = 4;

/** The studio: the pages and what they ask for. Request in, Response out; whoever calls it listens. */
export function studio({
  root,
  shown = root,
  imageFolders = [],
  token,
  starts,
  signal,
  pages,
  onFault = () => {},
  now = () => new Date(),
}: StudioOptions): Hono {
  const runs = new StudioRuns({ root, shown });
  const folders = imageFolders === "anywhere" ? undefined : [root, ...imageFolders];
  const images = new StudioImages({ root, folders });
  const files = new FoundFiles({ root, shown });
  const audits = new KeptForRun<ShownAudit>();
  const auditOf = async (id: string) => {
    const view = await runs.upToDate(id);
    const { shownAudit } = await loaded.shownAudit();
    return audits.of(view, () => shownAudit(view.index.run));
  };
  const cards = once(async () => new (await loaded.cards()).StudioCards({ runs, files }));
  const reviews = new Reviews({ files, shown, folders });
  const scores = once(async () => {
    const { ScoreFiles } = await loaded.scores();
    return new ScoreFiles({ files, folders: folders ?? [root] });
  });
  const close = () => Promise.all([reviews.close(), runs.close()]);
  signal?.addEventListener("abort", () => void close().catch(onFault), { once: true });
  const app = new Hono();
  app.onError((error, { json }) => {
    const { status, body } = problemOf(error);
    if (status === 500) onFault(error);
    return json(body, status as 500);
  });
  app.use(safeHeaders);
  app.use(guard({ token, startToken: starts?.token, openingToken: starts?.openingToken }));
  app.use(
    bodyLimit({
      maxSize: mostBytes,
      onError: () => {
        throw new Refusal(413, "too-large", `Expected at most ${mostBytes} bytes`);
      },
    }),
  );
  app.use("/api/*", async (context, next) => {
    await next();
    if (!context.res.headers.has("cache-control")) {
      context.res.headers.set("cache-control", "no-store");
    }
  });
  app.get("/api/runs", async ({ json }) =>
    json({ runs: await runs.list(), directory: runs.shown } satisfies RunList),
  );
  app.get("/api/runs/:run", async ({ req, json }) => {
    const found = await runs.find(req.param("run"));
    const view = await runs.view(found.id);
    const reading = view.index.refresh();
    // While a large run is read for the first time, its page shows how far that is.
    if (!view.index.progress.isReady) await Promise.race([reading, soon()]);
    else await reading;
    const { runDetail } = await loaded.runDetail();
    const detail = await runDetail(found, view, pathOf(found, runs.shown));
    if (detail.index.isReady && detail.images > 0) images.prepare();
    return json(detail);
  });
  app.get("/api/runs/:run/overview", async ({ req, json }) =>
    json((await standingOverview((await runs.find(req.param("run"))).place)) ?? null),
  );
  app.get("/api/runs/:run/events", async (context) => {
    const { runEvents } = await loaded.runDetail();
    return runEvents(context, await runs.view(context.req.param("run")), signal);
  });
  app.get("/api/runs/:run/items", async ({ req, json }) => {
    const query = itemQuery(req.query());
    return json(selectItems(await runs.upToDate(req.param("run")), query));
  });
  app.get("/api/runs/:run/grid", async ({ req, json }) => {
    const query = gridQuery(req.query());
    const { selectRows } = await loaded.selectRows();
    // A page may show all images in order while their scores are read.
    const imagesOnly = req.query("early") !== undefined && isWhole(query);
    return json(selectRows(await runs.upToDate(req.param("run"), { imagesOnly }), query));
  });
  app.get("/api/runs/:run/items/:key", async ({ req, json }) => {
    return json(await itemDetail(await runs.upToDate(req.param("run")), req.param("key")));
  });
  app.get("/api/runs/:run/records/:key", async ({ req, json }) => {
    const { explained, conventionsOf } = await loaded.explained();
    const view = await runs.upToDate(req.param("run"));
    return json(await explained(view, req.param("key"), { conventionsOf }));
  });
  app.get("/api/runs/:run/looks/:key/:at", async ({ req }) => {
    const { lookedAt } = await loaded.lookedAt();
    const { key, at } = req.param();
    const seen = await lookedAt(await runs.upToDate(req.param("run")), { key, at, images });
    return imageResponse(seen, { isForever: false });
  });
  app.get("/api/runs/:run/pairs", async ({ req, json }) => {
    const query = pairsQuery(req.query());
    const view = await runs.upToDate(req.param("run"));
    return json(selectPairs(view, query, await excludedOf(req.param("run"))));
  });
  app.post("/api/runs/:run/excluded", async ({ req, json }) => {
    const { place } = await runs.find(req.param("run"));
    const body: unknown = await req.json().catch(() => undefined);
    const view = await runs.upToDate(req.param("run"));
    const run = { place, documents: openDocuments(place) };
    return json(await runs.inTurn(place, () => excludePair(view, { run, body })));
  });
  app.get("/api/runs/:run/images/:image", async ({ req }) => {
    const hash = hashOf(req.param("image"));
    const { index } = await runs.view(req.param("run"));
    const width = widthOf(req.query("width"));
    const { blobs } = index.run;
    const { signal } = req.raw;
    const shown =
      width === undefined
        ? images.whole(blobs, hash)
        : images.small(blobs, hash, { width, signal });
    return imageResponse(await index.first(shown), { isForever: true });
  });
  app.get("/api/runs/:run/audit", async ({ req, json }) =>
    json((await auditOf(req.param("run"))).detail),
  );
  app.get("/api/runs/:run/audit/sets", async ({ req, json }) => {
    const { sets } = await auditOf(req.param("run"));
    return json(selectSets(sets, req.query()));
  });
  const excludedOf = async (id: string) => {
    const { place } = await runs.find(id);
    return readExcluded({ place, documents: openDocuments(place) });
  };
  const named = async (id: string) => ({
    id,
    name: (await runs.find(id)).name,
    view: await runs.upToDate(id),
    excluded: await excludedOf(id),
  });
  app.get("/api/compare", async ({ req, json }) => {
    const ids = [...new Set(req.queries("run") ?? [])];
    if (ids.length < 1 || ids.length > mostCompared) {
      throw new Refusal(
        400,
        "runs",
        `Expected 1 to ${mostCompared} runs to compare but received ${ids.length}`,
        { hint: "Choose one or two runs on the page Compare." },
      );
    }
    const { compareRuns } = await loaded.compareRuns();
    return json(compareRuns(await Promise.all(ids.map(named))));
  });
  app.get("/api/changes", async ({ req, json }) => {
    const [before, after, ...more] = await Promise.all((req.queries("run") ?? []).map(named));
    if (before === undefined || after === undefined || more.length > 0) {
      throw new Refusal(400, "runs", "Expected 2 runs to compare their images", {
        hint: "GET /api/changes?run=ID&run=ID; GET /api/runs lists them.",
      });
    }
    const { changedImages } = await loaded.changedImages();
    return json(await changedImages([before, after]));
  });
  app.get("/api/cards", async ({ req, json }) => {
    const onlySources = req.query("only") === "sources";
    return json(await (await cards()).shown(req.queries("from") ?? [], { onlySources }));
  });
  app.get("/api/evidence", async ({ req, json }) => {
    const { evidencePage } = await loaded.evidencePage();
    return json(await evidencePage(req.query()));
  });
  app.get("/api/files", async ({ json }) => json(await files.list()));
  app.get("/api/judges/:judge", async ({ req, json }) => {
    const found = await files.find("judge", req.param("judge"));
    const { judgeDetail } = await loaded.judgeDetail();
    return json(await judgeDetail(found, { shown }));
  });
  const mayStart = (context: Context) => starts !== undefined && carries(context, starts.token);
  // Where there is no token at all, whoever reads is who opened it.
  const mayWrite = (context: Context) => starts === undefined || mayStart(context);
  app.route("/api/studies", studyRoutes({ files, shown }, mayWrite));
  const jobs = once(async () => {
    if (starts === undefined) return undefined;
    const { Jobs } = await loaded.jobs();
    return new Jobs({ root, starts });
  });
  app.route("/api/jobs", jobRoutes({ root, shown, starts, jobs, mayStart }));
  app.route("/api/runs", noteRoutes(runs, now));
  app.route("/api/reviews", reviewRoutes(reviews, images));
  app.route("/api/scores", scoreRoutes(scores, images));
  app.all("/api/*", () => {
    throw new Refusal(404, "no-address", "The studio has no such address");
  });
  app.get("/reports/*", async ({ req }) => {
    const { reportResponse } = await loaded.reports();
    return reportResponse(new URL(req.url).pathname, { runs, files, root });
  });
  app.use("/runs/:run/*", async ({ req }, next) => {
    // A run is read while its page is on its way to the browser and begins there.
    void runs.upToDate(req.param("run")).catch(() => {});
    await next();
  });
  app.use(({ req }) => pageFile(req.raw, { page: "studio.html", pages }));
  return app;
}

/** Modules slow to load that the first page does not need. */
const loaded = {
  runDetail: () => import("./run-detail.js"),
  reports: () => import("./reports/reports.js"),
  cards: () => import("./cards/studio-cards.js"),
  evidencePage: () => import("./evidence/evidence-api.js"),
  scores: () => import("./scores/score-files.js"),
  jobs: () => import("./jobs/jobs.js"),
  shownAudit: () => import("./audits/audits.js"),
  compareRuns: () => import("./compare/compare-runs.js"),
  changedImages: () => import("./compare/changed-images.js"),
  explained: async () => ({
    ...(await import("./explained.js")),
    ...(await import("../runs/repeat-command.js")),
  }),
  selectRows: () => import("./grid/select-rows.js"),
  lookedAt: () => import("./looks/looks.js"),
  judgeDetail: () => import("./judges/judge-detail.js"),
};

/** Long enough for a run of some ten thousand images. */
const soon = () => new Promise<void>((resolve) => setTimeout(resolve, 400));

function hashOf(text: string): Hash {
  if (/^[0-9a-f]{64}$/.test(text)) return text as Hash;
  throw new Refusal(404, "no-image", "Expected the SHA-256 of an image of the run");
}

const asked = z.strictObject({
  /** The pair's id. */
  pair: z.string().max(64).optional(),
  /** Or images, each of a triplet. */
  of: z.array(z.string().max(64)).max(20_000).optional(),
  /** Null counts the pair again. */
  reason: z.string().trim().min(1).max(200).nullable(),
});

/** Excludes triplets of a run by hand, with a reason, or counts them again. */
async function excludePair(
  view: RunView,
  { run, body }: { readonly run: Parameters<typeof readExcluded>[0]; readonly body: unknown },
): Promise<{ readonly triplets: readonly string[]; readonly reason: string | null }> {
  const { pair: id, of = [], reason } = checkedRequest(asked, body);
  const wanted = new Set(of);
  const { rows } = view.index;
  const isWanted = (at: number) => wanted.has(rows[at]?.key ?? "");
  const triplets = view.pairs.flatMap(({ id: one, kind, first, second }) => {
    const row = rows[first];
    const isMeant = one === id || isWanted(first) || isWanted(second);
    return row !== undefined && kind === "contrastive" && isMeant ? [tripletOf(row)] : [];
  });
  if (triplets.length === 0) {
    throw new Refusal(404, "no-pair", "None of these images is of a triplet", {
      hint: "Only triplets of a contrastive run can be excluded.",
    });
  }
  const excluded = new Map(await readExcluded(run));
  for (const triplet of triplets) {
    if (reason === null) excluded.delete(triplet);
    else excluded.set(triplet, reason);
  }
  await writeExcluded(run, excluded);
  return { triplets, reason };
}
