import { readdir, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { Hono } from "hono";
import { z } from "zod";
import { keyOf } from "../../core/keys.js";
import { type UnscoredReason, unscoredReasons } from "../../core/unscored.js";
import { readTable } from "../../files/read-table.js";
import { numeric, oneOf, optionalOneOf, optionalText, text } from "../../tables/columns.js";
import type { FoundFiles } from "../found-files.js";
import { imageResponse, type StudioImages, widthOf } from "../images.js";
import { parsedQuery } from "../item-query.js";
import { Refusal } from "../refusal.js";
import type { ScoredMetric, ScoredRow, ScoredRowPage, ScoreFileDetail } from "./score-api.js";

/** How many images must be where a folder has them. */
const mostTried = 5;
const mostFolders = 500;

interface Opened {
  /** Mark by which a changed file is noticed. */
  readonly mark: string;
  readonly file: ScoreFile;
  /** Where its images lie; undefined where they were not found. */
  readonly folder: string | undefined;
}

/** The files of scores below a folder, each read at first use, and the folders of their images. */
export class ScoreFiles {
  readonly #files: FoundFiles;
  readonly #folders: readonly string[];
  readonly #open = new Map<string, Opened>();

  /** @param options.folders where images may lie besides a file's own folder */
  constructor({
    files,
    folders,
  }: {
    readonly files: FoundFiles;
    readonly folders: readonly string[];
  }) {
    this.#files = files;
    this.#folders = folders;
  }

  async detail(id: string): Promise<ScoreFileDetail> {
    const { name, file } = await this.#opened(id);
    return { id, name, metrics: file.metrics };
  }

  async rows(id: string, query: ScoreQuery): Promise<ScoredRowPage> {
    return (await this.#opened(id)).file.select(query);
  }

  /** The file of a row's image. @throws Refusal where there is none to be found. */
  async imagePath(id: string, at: number): Promise<string> {
    const { file, folder } = await this.#opened(id);
    const image = file.imageAt(at);
    if (image === undefined) throw new Refusal(404, "no-row", "The file has no such row");
    if (isAbsolute(image)) return image;
    if (folder !== undefined) return resolve(folder, image);
    throw new Refusal(404, "no-image", `The image ${image} was not found near the file of scores`, {
      hint: "Start the studio in the folder that holds both, or lay the file beside the images.",
    });
  }

  async #opened(id: string): Promise<Opened & { readonly name: string }> {
    const { path, name } = await this.#files.find("scores", id);
    const { ino, size, mtimeMs } = await stat(path);
    const mark = `${ino} ${size} ${mtimeMs}`;
    const known = this.#open.get(path);
    if (known?.mark === mark) return { ...known, name };
    const file = await ScoreFile.read(path, name);
    const folder = await folderWith(file.sample(mostTried), [dirname(path), ...this.#folders]);
    this.#open.set(path, { mark, file, folder });
    return { mark, file, folder, name };
  }
}

/**
 * The first of some folders, or of those up to two levels below them, that has these files: a table
 * names its images from where it lay, and scores may be written elsewhere.
 */
async function folderWith(
  images: readonly string[],
  roots: readonly string[],
): Promise<string | undefined> {
  const named = images.filter((image) => !isAbsolute(image));
  if (named.length === 0) return roots[0];
  let level: readonly string[] = roots;
  for (let depth = 0; depth < 3; depth++) {
    for (const folder of level) if (await hasSome(folder, named)) return folder;
    level = (await Promise.all(level.map(foldersIn))).flat().slice(0, mostFolders);
  }
  return undefined;
}

/** Some may have gone since. */
async function hasSome(folder: string, images: readonly string[]): Promise<boolean> {
  for (const image of images) {
    const found = await stat(resolve(folder, image)).catch(() => undefined);
    if (found?.isFile()) return true;
  }
  return false;
}

async function foldersIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter(
      (entry) =>
        entry.isDirectory() && !entry.name.startsWith(".") && entry.name !== "node_modules",
    )
    .map(({ name }) => join(folder, name));
}

/** By what `score` writes; whatever else stands in a row is of no use here. */
const columns = {
  image: text,
  text: optionalText,
  metric: text,
  model: optionalText,
  status: oneOf(["scored", "unscored"]),
  value: numeric,
  reason: optionalOneOf(unscoredReasons),
  detail: optionalText,
  convention: optionalText,
  statistic: optionalText,
  low: { ...numeric, isRequired: false },
  high: { ...numeric, isRequired: false },
  direction: oneOf(["higher", "lower"]),
};

/** A file of scores that `score --out` wrote. */
class ScoreFile {
  readonly #rows: (ScoredRow & { readonly metric: string })[] = [];
  readonly #metrics = new Map<string, Omit<ScoredMetric, "scored" | "reasons">>();

  /** @throws InputError for a file that `score` did not write so. */
  static async read(path: string, name: string): Promise<ScoreFile> {
    const file = new ScoreFile();
    for await (const { row } of readTable({ source: { name, path }, columns })) {
      const { metric, model = "", convention = null, statistic = null, direction } = row;
      const { low, high } = row;
      const id = `${metric}~${keyOf({ metric, model, convention, statistic }).slice(0, 6)}`;
      if (!file.#metrics.has(id)) {
        const range = { low: low ?? null, high: high ?? null };
        file.#metrics.set(id, { id, metric, model, convention, statistic, direction, ...range });
      }
      const isScored = row.status === "scored";
      file.#rows.push({
        at: file.#rows.length,
        metric: id,
        image: row.image,
        text: row.text ?? "",
        value: isScored ? row.value : null,
        reason: isScored ? null : (row.reason ?? null),
        detail: isScored ? null : (row.detail ?? null),
      });
    }
    return file;
  }

  get metrics(): readonly ScoredMetric[] {
    return [...this.#metrics.values()].map((metric) => {
      const own = this.#rows.filter((row) => row.metric === metric.id);
      return {
        ...metric,
        scored: own.filter(({ value }) => value !== null).length,
        reasons: unscoredReasons.flatMap((reason: UnscoredReason) => {
          const rows = own.filter((row) => row.reason === reason).length;
          return rows === 0 ? [] : [{ reason, rows }];
        }),
      };
    });
  }

  /** Some images of its rows, to find their folder by. */
  sample(most: number): readonly string[] {
    return [...new Set(this.#rows.slice(0, 100 * most).map(({ image }) => image))].slice(0, most);
  }

  imageAt(at: number): string | undefined {
    return this.#rows[at]?.image;
  }

  /** Rows of one metric, worst first: what has no score comes last, unless it alone is asked for. */
  select({ metric, reason, text: words, order, limit, cursor }: ScoreQuery): ScoredRowPage {
    const [first] = this.#metrics.keys();
    const id = metric ?? first;
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    const sign =
      (this.#metrics.get(id ?? "")?.direction === "lower") === (order === "best") ? 1 : -1;
    const found = this.#rows
      .filter(
        (row) =>
          row.metric === id &&
          (reason === undefined ||
            (reason === "any" ? row.value === null : row.reason === reason)) &&
          wanted.every((word) => row.text.toLowerCase().includes(word)),
      )
      .sort((a, b) => {
        if (a.value === null || b.value === null) {
          return Number(a.value === null) - Number(b.value === null) || a.at - b.at;
        }
        return sign * (a.value - b.value) || a.at - b.at;
      });
    const end = cursor + limit;
    return {
      rows: found.slice(cursor, end).map(({ metric: _, ...row }) => row),
      total: found.length,
      next: end < found.length ? String(end) : null,
    };
  }
}

/** Rows of a file of scores, as an address asks for them. */
export const scoreQuery = z.object({
  /** The first of the file if not given. */
  metric: z.string().max(500).optional(),
  /** Rows without a score, for one reason or any. */
  reason: z.enum([...unscoredReasons, "any"]).optional(),
  text: z.string().max(500).default(""),
  order: z.enum(["worst", "best"]).default("worst"),
  limit: z.coerce.number().int().min(1).max(500).default(60),
  cursor: z.coerce.number().int().nonnegative().max(1e9).default(0),
});
type ScoreQuery = z.output<typeof scoreQuery>;

/** Routes for the page of a file of scores, below `/api/scores/:file`. */
export function scoreRoutes(scores: () => Promise<ScoreFiles>, images: StudioImages): Hono {
  const app = new Hono();
  app.get("/:file", async ({ req, json }) =>
    json(await (await scores()).detail(req.param("file"))),
  );
  app.get("/:file/rows", async ({ req, json }) => {
    const query = parsedQuery(scoreQuery, req.query());
    return json(await (await scores()).rows(req.param("file"), query));
  });
  app.get("/:file/images/:at", async ({ req }) => {
    const { file, at } = req.param();
    const place = /^\d{1,9}$/.test(at) ? Number(at) : Number.NaN;
    const path = await (await scores()).imagePath(file, place);
    const width = widthOf(req.query("width"));
    const shown = await images.ofFile(path, { width, signal: req.raw.signal });
    // The file may be another one tomorrow.
    return imageResponse(shown, { isForever: false });
  });
  return app;
}
