import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Hash } from "../core/keys.js";
import type { Picture } from "../core/models.js";
import type { BlobStore } from "../core/record-store.js";
import { NoAnswer } from "../core/unscored.js";
import { makeFolder } from "../files/make-folder.js";
import { outsideProblem } from "../files/outside.js";
import { mostImageBytes, readRegularFile } from "../files/regular-file.js";
import { loadSharp } from "../images/load-sharp.js";
import { openPicture } from "../images/picture.js";
import { type Thumbnail, thumbnail } from "../images/thumbnail.js";
import { Refusal } from "./refusal.js";

/** Pixels of the longer side; what is asked for is rounded up to one of them, so that few are kept. */
const sides = [128, 256, 384, 512, 1024, 2048];
/** Formats that are handed out as they are; none of them can hold a script. */
const shown = ["image/png", "image/jpeg", "image/webp", "image/gif", "image/avif"];
/** Effort of WebP's encoder: a small copy is kept on this machine, and somebody waits for it. */
const quick = 0;
/** Two of the four threads that Node has for files and images are left to what else is asked. */
const atOnce = 2;

export type ShownImage = Pick<Thumbnail, "bytes" | "mediaType">;

/**
 * The images of runs for a page: as they are, or made smaller when first asked for and then kept, in
 * `.studio/` of the studio's folder. Only bytes whose hash is their name are handed out, and only
 * where they lie in one of the folders that may be read.
 */
export class StudioImages {
  readonly #cache: string;
  readonly #folders: readonly string[] | undefined;
  readonly #turns = new Turns(atOnce);

  /** @param folders where images may lie; anywhere if not given */
  constructor({
    root,
    folders,
  }: {
    readonly root: string;
    readonly folders: readonly string[] | undefined;
  }) {
    this.#cache = join(root, ".studio", "thumbnails");
    this.#folders = folders;
  }

  /** Loads what makes images smaller while the page is drawn that will ask for them. */
  prepare(): void {
    setImmediate(() => void loadSharp().catch(() => {}));
  }

  /** @throws Refusal where there is no such image, it may not be read, or it is none. */
  async whole(blobs: BlobStore, hash: Hash): Promise<ShownImage> {
    return wholeOf(await this.#open(blobs, hash));
  }

  /** The same opened, for whoever makes another of it. @throws Refusal as `whole` does. */
  async picture(blobs: BlobStore, hash: Hash): Promise<Picture> {
    return this.#open(blobs, hash);
  }

  /** The same in at most `width` by `width` pixels, rounded up to one of the sizes that are kept. */
  async small(
    blobs: BlobStore,
    hash: Hash,
    { width, signal }: { readonly width: number; readonly signal?: AbortSignal },
  ): Promise<ShownImage> {
    const side = sideFor(width);
    const kept = await this.#kept(hash, side);
    if (kept !== undefined) return kept;
    return this.#turns.take(async () => this.#made(await this.#open(blobs, hash), side), signal);
  }

  /**
   * The image in a file, at most `width` pixels wide where that is given.
   *
   * @throws Refusal where there is none, it may not be read, or it is no image.
   */
  async ofFile(
    path: string,
    { width, signal }: { readonly width: number | undefined; readonly signal?: AbortSignal },
  ): Promise<ShownImage> {
    const name = basename(path);
    await this.#refuseOutside(path, name);
    return this.#turns.take(async () => {
      const bytes = await readImage(path).catch((cause: unknown) => {
        throw new Refusal(404, "no-image", `There is no image ${name} to be read`, { cause });
      });
      const picture = await pictureOf(bytes, name);
      if (width === undefined) return wholeOf(picture);
      const side = sideFor(width);
      return (await this.#kept(picture.hash, side)) ?? this.#made(picture, side);
    }, signal);
  }

  #path = (hash: Hash, side: number) => join(this.#cache, hash.slice(0, 2), `${hash}-${side}.webp`);

  async #kept(hash: Hash, side: number): Promise<ShownImage | undefined> {
    const kept = await readFile(this.#path(hash, side)).catch(() => undefined);
    return kept === undefined || kept.length === 0
      ? undefined
      : { bytes: kept, mediaType: "image/webp" };
  }

  async #made(picture: Picture, side: number): Promise<ShownImage> {
    const made = await thumbnail(picture, { side, effort: quick }).catch((cause: unknown) => {
      throw notAnImage(picture.hash, cause);
    });
    // A picture that is small enough is shown as it is.
    if (made.bytes !== picture.bytes) void keep(this.#path(picture.hash, side), made.bytes);
    return made;
  }

  async #open(blobs: BlobStore, hash: Hash) {
    const path = await blobs.addressOf(hash);
    // What lies in no file leads to none.
    if (path !== undefined) await this.#refuseOutside(path, hash, blobs.directory);
    const bytes = await (path === undefined ? blobs.read(hash) : readImage(path)).catch(
      (cause: unknown) => {
        throw new Refusal(404, "no-image", `There is no image ${hash} in the run`, { cause });
      },
    );
    const picture = await pictureOf(bytes, hash);
    if (picture.hash === hash) return picture;
    throw new Refusal(409, "changed", `The image ${hash} was changed since it was kept`);
  }

  /** @param own where the run itself keeps its images */
  async #refuseOutside(path: string, name: string, own?: string): Promise<void> {
    const folders = [...(this.#folders ?? []), ...(own === undefined ? [] : [own])];
    const problem = this.#folders === undefined ? undefined : await outsideProblem(path, folders);
    if (problem === undefined) return;
    throw new Refusal(403, "outside", `The image ${name} is not shown: ${problem}`);
  }
}

const readImage = (path: string) => readRegularFile(path, { mostBytes: mostImageBytes });

const sideFor = (width: number): number =>
  sides.find((one) => one >= width) ?? sides.at(-1) ?? width;

const wholeOf = (picture: Picture): ShownImage | Promise<ShownImage> =>
  shown.includes(picture.mediaType) ? picture : thumbnail(picture, { side: 4096 });

async function pictureOf(bytes: Uint8Array, name: string): Promise<Picture> {
  try {
    return await openPicture(bytes, name);
  } catch (cause) {
    throw cause instanceof NoAnswer ? notAnImage(name, cause) : cause;
  }
}

const notAnImage = (hash: string, cause: unknown) =>
  new Refusal(
    415,
    "not-an-image",
    `Expected an image for ${hash}: ${cause instanceof Error ? cause.message : "it is none"}`,
    { cause },
  );

/** Keeps bytes if the folder can be written; they may as well be made again. */
async function keep(path: string, bytes: Uint8Array): Promise<void> {
  const beside = `${path}.${process.pid}`;
  try {
    await makeFolder(dirname(path), path);
    await writeFile(beside, bytes);
    await rename(beside, path);
  } catch {
    await rm(beside, { force: true });
  }
}

/** Runs at most so much work at once, in the order in which it was asked for. */
class Turns {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #working = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** @throws the signal's reason where it was aborted before the turn came. */
  async take<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    if (this.#working >= this.#most) {
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    } else this.#working++;
    try {
      signal?.throwIfAborted();
      return await work();
    } finally {
      // First come, first served: with the latest first, images at the top would wait while somebody scrolls.
      const next = this.#waiting.shift();
      if (next === undefined) this.#working--;
      else next();
    }
  }
}

/** An image as an answer. @param isForever whether its address names its bytes, so that they never change */
export const imageResponse = (
  { bytes, mediaType }: ShownImage,
  { isForever }: { readonly isForever: boolean },
): Response =>
  new Response(Uint8Array.from(bytes), {
    headers: {
      "content-type": mediaType,
      "content-disposition": "inline",
      "cache-control": isForever ? "private, max-age=31536000, immutable" : "private, max-age=60",
    },
  });

/** How wide an image is wanted; undefined for as it is. @throws Refusal for what is no width. */
export function widthOf(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  const width = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (width >= 1) return width;
  throw new Refusal(400, "width", "Expected a whole number of pixels for width");
}
