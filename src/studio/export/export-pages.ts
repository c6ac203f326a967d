import { readdir, readFile } from "node:fs/promises";
import { basename, isAbsolute, join, relative } from "node:path";
import { localizedName } from "../../benchmarks/attribute-confusion/localized-metrics.js";
import { benchmarkOf } from "../../benchmarks/benchmarks.js";
import { readExcluded } from "../../benchmarks/prototypicality/run-filter.js";
import { runTrustCards } from "../../benchmarks/run-cards.js";
import { stereotypes } from "../../benchmarks/stereotypes/benchmark.js";
import { append } from "../../core/arrays.js";
import { InputError, TouchstoneError } from "../../core/errors.js";
import type { Hash } from "../../core/keys.js";
import type { RecordStore } from "../../core/record-store.js";
import { stepId } from "../../core/step.js";
import { openStore } from "../../files/open-store.js";
import { metricCatalogue } from "../../metrics/catalogue.js";
import { reportPage, standingOverview } from "../../report/standing.js";
import { type TraceEntry, traceEntry } from "../../runs/record-life.js";
import { withoutPseudonyms } from "../../studies/people-metric/people-step.js";
import { shownAudit } from "../audits/audits.js";
import { StudioImages } from "../images.js";
import { scoreLooks, seenImage } from "../looks/looks.js";
import { reportIn } from "../reports/reports.js";
import { runDetail } from "../run-detail.js";
import { RunIndex } from "../run-index.js";
import { RunView } from "../run-view.js";
import { listedRun, wholeRun } from "../runs.js";
import type { ExportedFile, ExportedRecord, ExportedRun } from "./exported-page.js";
import { withoutPaths } from "./without-paths.js";

/** Where the build puts the pages. */
const builtPages = new URL("../../../dist/web/", import.meta.url);
const worker = "analyse.js";

/** The page that analyses tables, alone: it needs no run and no server. */
export async function* exportedAnalysis(pages = builtPages): AsyncGenerator<ExportedFile> {
  yield* sharedFiles(pages);
  const content = exportedPage("Analyse a table · Touchstone", [worker, "studio.js"]);
  yield { path: "index.html", content };
}

/** Characters of records in a script; a browser reads them one after the other. */
const mostCharacters = 8_000_000;
const smallSide = 384;

/**
 * The pages of one run as files that work from any file server and from the file system. They say nothing of
 * the disk that the run lies on.
 *
 * @param options.images "whole" copies them beside their small copies
 * @param options.onImage told after each image, of how many
 * @throws InputError where there is no run.
 */
export async function* exportedRun(
  place: string,
  options: ExportOptions,
): AsyncGenerator<ExportedFile> {
  const { name, imageFolders = [], privateFolders = [], pages = builtPages } = options;
  const run = await openStore(place, { anyhow: true });
  yield* sharedFiles(pages);
  const folders = [...imageFolders, ...privateFolders];
  const shorten = await withoutPaths({ place, name, folders, recipe: run.recipe });
  for await (const { path, content } of filesOf(run, { place, ...options })) {
    yield { path, content: typeof content === "string" ? shorten(content) : content };
  }
}

interface ExportOptions {
  readonly name: string;
  readonly images: "whole" | "thumbnails";
  /** Whether what each participant of a study answered is written under their pseudonym. */
  readonly withPeople?: boolean;
  /** Where images that the run refers to may lie beside its own folder. */
  readonly imageFolders?: readonly string[];
  /** Further folders whose names nobody else is to read, such as a home. */
  readonly privateFolders?: readonly string[];
  readonly pages?: URL;
  readonly onImage?: (done: number, of: number) => void;
}

async function* filesOf(
  run: RecordStore,
  {
    place,
    name,
    images,
    withPeople = false,
    imageFolders = [],
    onImage = () => {},
  }: ExportOptions & { readonly place: string },
): AsyncGenerator<ExportedFile> {
  const index = new RunIndex(run);
  await index.refresh();
  const scripts: string[] = [];
  const records = scriptsOf("records", "touchstoneRecords");
  for await (const some of run.follow().news()) {
    for (const { step, value, position, isInOrder } of some) {
      const shown = withPeople ? value : withoutPseudonyms(value);
      const record: ExportedRecord = [step, shown, position, isInOrder];
      yield* records.take(record, position.length);
    }
  }
  yield* records.end();
  const trace = scriptsOf("trace", "touchstoneTrace");
  const masks = new Map<string, TraceEntry[]>();
  for await (const value of run.trace()) {
    const { data } = traceEntry.safeParse(value);
    if (data === undefined) continue;
    // What a model's server sent stays where the run is: it may hold more than anybody asked for.
    const { reply, ...noted } = data;
    yield* trace.take(noted, JSON.stringify(noted).length);
    if (noted.kind !== "mask" || typeof noted.key !== "string") continue;
    masks.set(noted.key, [...(masks.get(noted.key) ?? []), noted]);
  }
  yield* trace.end();
  append(scripts, records.paths);
  append(scripts, trace.paths);

  const shown = new StudioImages({ root: place, folders: [place, ...imageFolders] });
  const kept: Record<string, { whole: string | null; small: string; named: string | null }> = {};
  const hashes = new Set(index.rows.flatMap(({ image }) => image ?? []));
  for (const image of hashes) {
    const hash = image as Hash;
    const small = await shown.small(run.blobs, hash, { width: smallSide }).catch(() => undefined);
    onImage(Object.keys(kept).length + 1, hashes.size);
    if (small === undefined) continue;
    const path = `images/small/${image}.webp`;
    const named = namedIn(await run.blobs.addressOf(hash), { place, name });
    kept[image] = { whole: null, small: path, named };
    yield { path, content: small.bytes };
    if (images === "thumbnails") continue;
    const { bytes, mediaType } = await shown.whole(run.blobs, hash);
    const whole = `images/${image}.${mediaType.split("/")[1]}`;
    kept[image] = { whole, small: path, named };
    yield { path: whole, content: bytes };
  }

  const looks: Record<string, readonly string[]> = {};
  yield* exportedLooks(index, { images: shown, masks, paths: looks });
  const found = { id: wholeRun, name, place };
  const steps = run.recipe.steps.map(stepId);
  const reports = await exportedReports(place);
  yield* reports;
  const [ofRun] = reports;
  const report = ofRun === undefined ? {} : { report: ofRun.path };
  const { report: _, ...detail } = await runDetail(found, new RunView(index), name);
  const { report: _served, ...listed } = await listedRun(found);
  const exported: ExportedRun = {
    list: { runs: [{ ...listed, ...report }], directory: name },
    detail: { ...detail, ...report },
    overview: (await standingOverview(place)) ?? null,
    recipe: run.recipe,
    excluded: [...(await readExcluded(run))],
    states: Object.fromEntries(
      await Promise.all(steps.map(async (step) => [step, await run.stateOf(step)] as const)),
    ),
    images: kept,
    looks,
    conventions: Object.fromEntries(
      metricCatalogue.map(({ name, conventions }) => [name, conventions] as const),
    ),
    ...(await exportedConclusions(run, name)),
  };
  yield { path: "run.js", content: `window.touchstoneRun = ${scriptValue(exported)};\n` };
  const content = exportedPage("Touchstone studio", ["run.js", ...scripts, worker, "studio.js"]);
  yield { path: "index.html", content };
}

/** Collects values into scripts that add them to a list of the page's, as many to each as are read at once. */
function scriptsOf(name: string, list: string) {
  const paths: string[] = [];
  let values: unknown[] = [];
  let characters = 0;
  const written = (): ExportedFile[] => {
    if (values.length === 0) return [];
    const path = `${name}-${paths.length + 1}.js`;
    const content = `(window.${list} ??= []).push(...${scriptValue(values)});\n`;
    paths.push(path);
    values = [];
    characters = 0;
    return [{ path, content }];
  };
  return {
    paths: paths as readonly string[],
    take(value: unknown, length: number): ExportedFile[] {
      values.push(value);
      characters += length;
      return characters > mostCharacters || values.length === 20_000 ? written() : [];
    },
    end: written,
  };
}

/** Names an image of the run as commands do; one that lies elsewhere by its base name. */
function namedIn(
  address: string | undefined,
  { place, name }: { readonly place: string; readonly name: string },
): string | null {
  if (address === undefined) return null;
  const below = relative(place, address);
  return below.startsWith("..") || isAbsolute(below) ? basename(address) : join(name, below);
}

/** The page's own script and style, and its worker's script as a text. */
async function* sharedFiles(pages: URL): AsyncGenerator<ExportedFile> {
  try {
    for (const path of ["studio.js", "studio.css"]) {
      yield { path, content: await readFile(new URL(`static/${path}`, pages)) };
    }
    const names = await readdir(new URL("assets/", pages));
    const name = names.find((one) => one.startsWith("table-worker-")) ?? "";
    const text = await readFile(new URL(`assets/${name}`, pages), "utf8");
    yield { path: worker, content: `window.touchstoneWorker = ${scriptValue(text)};\n` };
  } catch (cause) {
    throw new InputError("The pages are not built", { hint: "In a clone: npm run build", cause });
  }
}

/** Draws the conclusions that a run has for the pages of audits and trust cards. */
async function exportedConclusions(
  run: RecordStore,
  name: string,
): Promise<Pick<ExportedRun, "audit" | "cards">> {
  const benchmark = benchmarkOf(run.recipe);
  const audit =
    benchmark === stereotypes ? await shownAudit(run).catch(nothingToConclude) : undefined;
  const cards =
    benchmark?.cards === undefined
      ? undefined
      : await runTrustCards(run, name).catch(nothingToConclude);
  return {
    ...(audit === undefined ? {} : { audit }),
    ...(cards === undefined
      ? {}
      : {
          cards: {
            sources: [{ id: `run:${wholeRun}`, name, isShown: true }],
            cards: cards.map((card) => ({ from: name, card })),
            problems: [],
          },
        }),
  };
}

/** No conclusion where nothing was judged or scored yet: the page says so. */
function nothingToConclude(error: unknown): undefined {
  if (!(error instanceof TouchstoneError)) throw error;
}

/**
 * Yields images of what localised metrics saw of each entity; scores that saw the same share one file.
 *
 * @param options.masks the traced masks, by score
 * @param options.paths filled with the file of each entity, by score; "" for none
 */
async function* exportedLooks(
  index: RunIndex,
  {
    images,
    masks,
    paths,
  }: {
    readonly images: StudioImages;
    readonly masks: ReadonlyMap<string, readonly TraceEntry[]>;
    readonly paths: Record<string, readonly string[]>;
  },
): AsyncGenerator<ExportedFile> {
  const { run, rows, tables } = index;
  const localized = tables.filter((table) => table.id.startsWith(`${localizedName}~`));
  if (localized.length === 0 || masks.size === 0) return;
  for (const [at, row] of rows.entries()) {
    if (row.image === null) continue;
    const places = localized.flatMap((table) => table.placeOf(at) ?? []);
    const picture = await images.picture(run.blobs, row.image as Hash).catch(() => undefined);
    if (picture === undefined) continue;
    const known = new Map<string, string>();
    for (const record of await index.read(places)) {
      const looks = scoreLooks(record, masks.get(record.key) ?? []);
      if (looks === null) continue;
      const own: string[] = [];
      for (const look of looks.entities) {
        const same = JSON.stringify([looks.strategy, look.shape]);
        const seen = known.has(same) ? undefined : await seenImage(picture, look, looks);
        const path = known.get(same) ?? (seen === undefined ? "" : `images/seen/${seen.hash}.png`);
        known.set(same, path);
        own.push(path);
        if (seen !== undefined) yield { path, content: seen.bytes };
      }
      paths[record.key] = own;
    }
  }
}

/** A run's report, and the reports of folders below it that it links to, under the paths of its links. */
export async function exportedReports(place: string): Promise<readonly ExportedFile[]> {
  const content = await reportIn(place, place);
  if (content === undefined) return [];
  const files: ExportedFile[] = [{ path: reportPage, content }];
  for (const [, folder = ""] of content.matchAll(/href="([\w-]+)\/report\.html"/g)) {
    const below = await reportIn(join(place, folder), place);
    if (below !== undefined) files.push({ path: `${folder}/${reportPage}`, content: below });
  }
  return files;
}

/** A value as a script that says it: what could end a script or a line stands escaped. */
const scriptValue = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");

/**
 * Allowed sources of an exported page: files beside it, from a server or from the file system, where
 * Chromium lets no module, fetch or worker of a file run. Its worker is made of a text.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self' file: blob:",
  "style-src 'self' file:",
  "img-src 'self' file: blob: data:",
  "worker-src blob:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** An exported page: plain scripts in their order, the last of which begins it. */
const exportedPage = (title: string, scripts: readonly string[]): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="studio.css">
${scripts.map((name) => `    <script defer src="${name}"></script>`).join("\n")}
  </head>
  <body>
    <div id="page"></div>
    <noscript>This page needs JavaScript: it reads what lies beside it.</noscript>
  </body>
</html>
`;
