import { readdir, readFile } from "node:fs/promises";
import { InputError } from "../../core/errors.js";
import type { Hash } from "../../core/keys.js";
import { stepId } from "../../core/step.js";
import { openStore } from "../../files/open-store.js";
import { standingOverview } from "../../report/overviews/standing-overview.js";
import { StudioImages } from "../images.js";
import { runDetail } from "../run-detail.js";
import { RunIndex } from "../run-index.js";
import { wholeRun } from "../run-list.js";
import { RunView } from "../run-view.js";
import { listedRun } from "../runs.js";
import type { ExportedRecord, ExportedRun } from "./exported-run.js";
import { exportedPage, scriptValue } from "./page-scripts.js";

/** A file of an export, by its path in the folder. */
export interface ExportedFile {
  readonly path: string;
  readonly content: string | Uint8Array;
}

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
 * The pages of one run as files that work from any file server and from the file system.
 *
 * @param options.images "whole" copies them beside their small copies
 * @param options.onImage told after each image, of how many
 * @throws InputError where there is no run.
 */
export async function* exportedRun(
  place: string,
  {
    name,
    images,
    imageFolders = [],
    pages = builtPages,
    onImage = () => {},
  }: {
    readonly name: string;
    readonly images: "whole" | "thumbnails";
    /** Where images that the run refers to may lie beside its own folder. */
    readonly imageFolders?: readonly string[];
    readonly pages?: URL;
    readonly onImage?: (done: number, of: number) => void;
  },
): AsyncGenerator<ExportedFile> {
  const run = await openStore(place, { anyhow: true });
  const index = new RunIndex(run);
  await index.refresh();
  yield* sharedFiles(pages);

  const scripts: string[] = [];
  let records: ExportedRecord[] = [];
  let characters = 0;
  const written = () => {
    const path = `records-${scripts.length + 1}.js`;
    const content = `(window.touchstoneRecords ??= []).push(...${scriptValue(records)});\n`;
    scripts.push(path);
    records = [];
    characters = 0;
    return { path, content };
  };
  for await (const { step, value, position, isInOrder } of run.follow().news()) {
    records.push([step, value, position, isInOrder]);
    characters += position.length;
    if (characters > mostCharacters || records.length === 20_000) yield written();
  }
  if (records.length > 0) yield written();

  const shown = new StudioImages({ root: place, folders: [place, ...imageFolders] });
  const kept: Record<string, { whole: string | null; small: string }> = {};
  const hashes = new Set(index.rows.flatMap(({ image }) => image ?? []));
  for (const image of hashes) {
    const hash = image as Hash;
    const small = await shown.small(run.blobs, hash, { width: smallSide }).catch(() => undefined);
    onImage(Object.keys(kept).length + 1, hashes.size);
    if (small === undefined) continue;
    const path = `images/small/${image}.webp`;
    kept[image] = { whole: null, small: path };
    yield { path, content: small.bytes };
    if (images === "thumbnails") continue;
    const { bytes, mediaType } = await shown.whole(run.blobs, hash);
    const whole = `images/${image}.${mediaType.split("/")[1]}`;
    kept[image] = { whole, small: path };
    yield { path: whole, content: bytes };
  }

  const found = { id: wholeRun, name, place };
  const steps = run.recipe.steps.map(stepId);
  const exported: ExportedRun = {
    list: { runs: [await listedRun(found)], directory: name },
    detail: await runDetail(found, new RunView(index), name),
    overview: (await standingOverview(place)) ?? null,
    recipe: run.recipe,
    states: Object.fromEntries(
      await Promise.all(steps.map(async (step) => [step, await run.stateOf(step)] as const)),
    ),
    images: kept,
  };
  yield { path: "run.js", content: `window.touchstoneRun = ${scriptValue(exported)};\n` };
  const content = exportedPage("Touchstone studio", ["run.js", ...scripts, worker, "studio.js"]);
  yield { path: "index.html", content };
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
