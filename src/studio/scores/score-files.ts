import { readdir, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { FoundFiles } from "../found-files.js";
import { Refusal } from "../refusal.js";
import type { ScoredRowPage, ScoreFileDetail } from "./score-api.js";
import { ScoreFile } from "./score-file.js";
import type { ScoreQuery } from "./score-query.js";

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

/** The files of scores below a folder, each read when it is first looked at, and where their images lie. */
export class ScoreFiles {
  readonly #files: FoundFiles;
  readonly #folders: readonly string[];
  readonly #open = new Map<string, Opened>();

  /** @param options.folders where images may lie beside a file's own folder */
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
