import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { appendFile, readFile, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { z } from "zod";
import { InputError } from "../core/errors.js";
import type { Hash } from "../core/keys.js";
import type { Picture, Pixels } from "../core/models.js";
import { jsonOrNone } from "../core/read-json.js";
import { sha256 } from "../files/blobs/blob-address.js";
import { makeFolder } from "../files/make-folder.js";
import { readForAWhile } from "../files/regular-file.js";
import { giveBack } from "../files/reused-bytes.js";
import { decode, isPlain, openPicture } from "./picture.js";
import { readPictureFile } from "./picture-file.js";

/** What is known of an image file without reading it again. */
interface KnownFile extends Pick<Picture, "hash" | "mediaType" | "width" | "height"> {
  /** Whether every decoder shows it as `pixels()` has it. */
  readonly isPlain: boolean;
  /** Whether its pixels were decoded once without a fault. */
  readonly isWhole: boolean;
}

/** A file's size, times of its last changes and inode: with the same ones it holds the same bytes. */
type Stamp = string;

interface Remembered extends KnownFile {
  readonly stamp: Stamp;
}

const lineSchema = z.tuple([
  z.string(),
  z.string(),
  z.string().regex(/^[0-9a-f]{64}$/),
  z.string(),
  z.int(),
  z.int(),
  z.boolean(),
  z.boolean(),
]);

/**
 * Hashes and headers of image files, by path, size, times and inode. A file that stands as it was looked at
 * last, in this process or an earlier one, is not read for them again.
 */
export class KnownFiles {
  readonly #directory: string | undefined;
  readonly #folders = new Map<string, Promise<Map<string, Remembered>>>();
  readonly #byHash = new Map<Hash, { readonly path: string; readonly name: string }>();
  readonly #unsaved = new Map<string, Set<string>>();

  /** @param directory where they are kept; in memory alone where not given */
  constructor(directory?: string) {
    this.#directory = directory;
  }

  /**
   * Hash and header of an image file.
   *
   * @param options.name what to call it in messages
   * @param options.decodes whether its pixels are decoded, too, unless they were before
   * @throws NoAnswer "bad-input" as `openPictureFile`, and with `decodes` as `pixels()`.
   */
  async look(
    path: string,
    { name = path, decodes = false }: { readonly name?: string; readonly decodes?: boolean } = {},
  ): Promise<KnownFile> {
    const folder = await this.#folderOf(path);
    const stamp = await stampOf(path);
    const known = folder.get(basename(path));
    if (known !== undefined && known.stamp === stamp && (known.isWhole || !decodes)) {
      this.#byHash.set(known.hash, { path, name });
      return known;
    }
    const found = await whileRead(path, name, async (bytes) => {
      const picture = await openPicture(bytes, name);
      if (decodes) await picture.pixels();
      const { hash, mediaType, width, height } = picture;
      const plain = { isPlain: await isPlain(picture), isWhole: decodes };
      return { hash, mediaType, width, height, ...plain };
    });
    // One that changes meanwhile is looked at again next time.
    if (stamp !== undefined && stamp === (await stampOf(path))) {
      folder.set(basename(path), { ...found, stamp });
      this.#byHash.set(found.hash, { path, name });
      const at = dirname(resolve(path));
      this.#unsaved.set(at, (this.#unsaved.get(at) ?? new Set()).add(basename(path)));
    }
    return found;
  }

  /** A picture of a file that was looked at, of which nothing is read before it is used; undefined where none stands. */
  async picture(hash: Hash): Promise<Picture | undefined> {
    const found = await this.#standing(hash);
    return found && unreadPicture(found.path, found.known, found.name);
  }

  /** The path of a file with these bytes that was looked at and stands as it did. */
  async pathOf(hash: Hash): Promise<string | undefined> {
    return (await this.#standing(hash))?.path;
  }

  async #standing(hash: Hash) {
    const at = this.#byHash.get(hash);
    if (at === undefined) return undefined;
    const known = (await this.#folderOf(at.path)).get(basename(at.path));
    const stands = known?.hash === hash && known.stamp === (await stampOf(at.path));
    return stands ? { ...at, known } : undefined;
  }

  /** Keeps what was found since the last time. Where it can't, the next process looks at these files again. */
  async save(): Promise<void> {
    if (this.#directory === undefined) return;
    for (const [at, names] of this.#unsaved) {
      const folder = await this.#folderOf(join(at, "-"));
      const lines = [...names].map((name) => lineOf(name, folder.get(name)));
      const path = this.#pathFor(at, this.#directory);
      try {
        await makeFolder(this.#directory, path);
        await appendFile(path, lines.join(""));
      } catch {
        break;
      }
    }
    this.#unsaved.clear();
  }

  #folderOf(path: string): Promise<Map<string, Remembered>> {
    const at = dirname(resolve(path));
    const found = this.#folders.get(at) ?? this.#read(at);
    this.#folders.set(at, found);
    return found;
  }

  async #read(at: string): Promise<Map<string, Remembered>> {
    const known = new Map<string, Remembered>();
    if (this.#directory === undefined) return known;
    const text = await readFile(this.#pathFor(at, this.#directory), "utf8").catch(() => "");
    for (const line of text.split("\n")) {
      const parsed = lineSchema.safeParse(jsonOrNone(line));
      if (!parsed.success) continue;
      const [name, stamp, hash, mediaType, width, height, isPlain, isWhole] = parsed.data;
      known.set(name, { stamp, hash: hash as Hash, mediaType, width, height, isPlain, isWhole });
    }
    return known;
  }

  #pathFor(at: string, directory: string): string {
    return join(directory, `${createHash("sha256").update(at).digest("hex").slice(0, 32)}.jsonl`);
  }
}

function lineOf(name: string, known: Remembered | undefined): string {
  if (known === undefined) return "";
  const { stamp, hash, mediaType, width, height, isPlain, isWhole } = known;
  return `${JSON.stringify([name, stamp, hash, mediaType, width, height, isPlain, isWhole])}\n`;
}

const stampOf = (path: string): Promise<Stamp | undefined> =>
  stat(path, { bigint: true }).then(
    ({ size, mtimeNs, ctimeNs, ino }) => `${size} ${mtimeNs} ${ctimeNs} ${ino}`,
    () => undefined,
  );

/** What `use` makes of the bytes of an image file, of which it keeps none. */
async function whileRead<Result>(
  path: string,
  name: string,
  use: (bytes: Buffer) => Promise<Result>,
): Promise<Result> {
  const bytes = await readPictureFile(path, name, readForAWhile);
  const result = await use(bytes);
  giveBack(bytes);
  return result;
}

function unreadPicture(path: string, known: Remembered, name: string): Picture {
  const { hash, mediaType, width, height } = known;
  const checked = (bytes: Buffer) => {
    if (sha256(bytes) === hash) return bytes;
    throw new InputError(`Expected ${name} as it was opened first, but it changed`);
  };
  let bytes: Buffer | undefined;
  let decoded: Promise<Pixels> | undefined;
  return {
    hash,
    mediaType,
    width,
    height,
    ...(known.isPlain ? { file: path } : {}),
    get bytes() {
      bytes ??= checked(readFileSync(path));
      return bytes;
    },
    pixels() {
      decoded ??=
        bytes === undefined
          ? whileRead(path, name, async (read) => {
              // A file that stands as it did has its hash.
              return decode((await stampOf(path)) === known.stamp ? read : checked(read), name);
            })
          : decode(bytes, name);
      return decoded;
    },
  };
}
