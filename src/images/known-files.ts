import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { appendFile, readFile, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { z } from "zod";
import { InputError } from "../core/errors.js";
import type { Hash } from "../core/keys.js";
import type { Picture, Pixels } from "../core/models.js";
import { GrowingNumbers } from "../core/number-lists.js";
import { jsonOrNone } from "../core/read-json.js";
import { sha256 } from "../files/blobs/blob-address.js";
import { makeFolder } from "../files/make-folder.js";
import { giveBack, readForAWhile } from "../files/regular-file.js";
import { Dictionary } from "../tables/dictionary.js";
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

const factsSchema = z.tuple([
  z.string(),
  z.string().regex(/^[0-9a-f]{64}$/),
  z.string(),
  z.int(),
  z.int(),
  z.boolean(),
  z.boolean(),
]);
type Facts = z.infer<typeof factsSchema>;
const lineSchema = z.tuple([z.string()], z.unknown());

/**
 * Hashes and headers of image files, by path, size, times and inode. A file that stands as it was looked at
 * last, in this process or an earlier one, is not read for them again.
 */
export class KnownFiles {
  readonly #directory: string | undefined;
  readonly #folders = new Map<string, Promise<void>>();
  // Numbers and bytes outside the heap of JavaScript: there may be a million files.
  readonly #paths = new Dictionary();
  readonly #facts = new Dictionary();
  /** 1 + the number of a path's facts. */
  readonly #factsOf = new GrowingNumbers(Int32Array);
  readonly #hashes = new Dictionary();
  /** The path of a hash, and how much of its end is its name. */
  readonly #pathOf = new GrowingNumbers(Int32Array);
  readonly #nameLengthOf = new GrowingNumbers(Int32Array);
  #unsaved: number[] = [];

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
    const at = resolve(path);
    const known = await this.#known(at);
    const stamp = await stampOf(path);
    if (known !== undefined && known.stamp === stamp && (known.isWhole || !decodes)) {
      this.#name(known.hash, at, name);
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
      const { hash, mediaType, width, height } = found;
      const facts: Facts = [stamp, hash, mediaType, width, height, found.isPlain, decodes];
      this.#unsaved.push(this.#note(at, facts));
      this.#name(hash, at, name);
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
    if (!this.#hashes.has(hash)) return undefined;
    const code = this.#hashes.codeOf(hash);
    const path = this.#paths.decoded(this.#pathOf.at(code));
    const known = await this.#known(path);
    const stands = known?.hash === hash && known.stamp === (await stampOf(path));
    return stands ? { path, known, name: path.slice(-this.#nameLengthOf.at(code)) } : undefined;
  }

  /** Keeps what was found since the last time. Where it can't, the next process looks at these files again. */
  async save(): Promise<void> {
    if (this.#directory === undefined) return;
    const lines = new Map<string, string[]>();
    for (const code of this.#unsaved) {
      const path = this.#paths.decoded(code);
      const at = this.#pathFor(dirname(path), this.#directory);
      const inFolder = lines.get(at) ?? [];
      lines.set(at, inFolder);
      inFolder.push(`${JSON.stringify([basename(path), ...this.#factsAt(code)])}\n`);
    }
    this.#unsaved = [];
    for (const [path, inFolder] of lines) {
      try {
        await makeFolder(this.#directory, path);
        await appendFile(path, inFolder.join(""));
      } catch {
        break;
      }
    }
  }

  /** What is remembered of the file at a path. */
  async #known(path: string): Promise<Remembered | undefined> {
    const folder = dirname(path);
    const read = this.#folders.get(folder) ?? this.#read(folder);
    this.#folders.set(folder, read);
    await read;
    const code = this.#paths.has(path) ? this.#paths.codeOf(path) : undefined;
    if (code === undefined || this.#factsOf.at(code) === 0) return undefined;
    const [stamp, hash, mediaType, width, height, isPlain, isWhole] = this.#factsAt(code);
    return { stamp, hash: hash as Hash, mediaType, width, height, isPlain, isWhole };
  }

  #factsAt(code: number): Facts {
    return factsSchema.parse(JSON.parse(this.#facts.decoded(this.#factsOf.at(code) - 1)));
  }

  /** Remembers a file. Returns the number of its path. */
  #note(path: string, facts: Facts): number {
    const code = this.#paths.codeOf(path);
    this.#factsOf.put(code, 1 + this.#facts.codeOf(JSON.stringify(facts)));
    return code;
  }

  #name(hash: Hash, path: string, name: string): void {
    const code = this.#hashes.codeOf(hash);
    this.#pathOf.put(code, this.#paths.codeOf(path));
    this.#nameLengthOf.put(code, path.endsWith(name) ? name.length : path.length);
  }

  async #read(folder: string): Promise<void> {
    if (this.#directory === undefined) return;
    const text = await readFile(this.#pathFor(folder, this.#directory), "utf8").catch(() => "");
    for (const line of text.split("\n")) {
      const parsed = lineSchema.safeParse(jsonOrNone(line));
      if (!parsed.success) continue;
      const [name, ...rest] = parsed.data;
      const facts = factsSchema.safeParse(rest);
      if (facts.success) this.#note(join(folder, name), facts.data);
    }
  }

  #pathFor(at: string, directory: string): string {
    return join(directory, `${createHash("sha256").update(at).digest("hex").slice(0, 32)}.jsonl`);
  }
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
