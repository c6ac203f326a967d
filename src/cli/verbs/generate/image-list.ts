import { type FileHandle, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { InputError } from "../../../core/errors.js";
import { unscoredReasons } from "../../../core/unscored.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { fileError, systemCode } from "../../../files/file-error.js";
import { readJsonLines } from "../../../files/json-lines.js";
import { makeFolder } from "../../../files/make-folder.js";

const wanted = {
  text: z.string(),
  id: z.string().exactOptional(),
  sample: z.int().positive(),
  seed: z.int().nonnegative(),
  model: z.string(),
  baseUrl: z.string().exactOptional(),
};

const madeSchema = z.object({
  file_name: z.string(),
  ...wanted,
  revised_prompt: z.string().exactOptional(),
});
const missingSchema = z.object({
  ...wanted,
  reason: z.enum(unscoredReasons),
  retryable: z.boolean(),
  detail: z.string(),
});

/** A line of metadata.jsonl: an image that was made. */
export type MadeImage = z.output<typeof madeSchema>;
/** A line of unscored.jsonl: an image that was not. */
export type MissingImage = z.output<typeof missingSchema>;

const madeName = "metadata.jsonl";
const missingName = "unscored.jsonl";

/** Identifies an image of a folder. */
export const imageId = ({ text, sample }: Pick<MadeImage, "text" | "sample">): string =>
  JSON.stringify([text, sample]);

/**
 * The lists of a folder of generated images: metadata.jsonl, which `score` reads, and unscored.jsonl.
 * A line is appended when its image is on the disk; a torn last line, left by a process that was
 * killed, is passed over, so its image is made again.
 */
export class ImageList {
  readonly directory: string;
  readonly made: Map<string, MadeImage>;
  /** Those that would fail again. */
  readonly missing: Map<string, MissingImage>;
  readonly #files: Readonly<Record<string, FileHandle>>;
  #last: Promise<unknown> = Promise.resolve();

  private constructor(
    directory: string,
    lists: Pick<ImageList, "made" | "missing">,
    files: Readonly<Record<string, FileHandle>>,
  ) {
    this.directory = directory;
    this.made = lists.made;
    this.missing = lists.missing;
    this.#files = files;
  }

  /**
   * Opens the lists of a folder, which is made where there is none.
   *
   * @throws InputError where the folder holds something else.
   */
  static async open(directory: string): Promise<ImageList> {
    try {
      await makeFolder(directory);
    } catch (error) {
      throw fileError(error, "write", directory);
    }
    const names = new Set(await readdir(directory));
    const other = [...names].find((name) => !name.startsWith("."));
    if (other !== undefined && !names.has(madeName)) {
      throw new InputError(
        `Expected a new or empty folder, or one of generated images, but received ${directory}, which holds ${other}`,
        { hint: "Name another folder with --out; it is made where there is none." },
      );
    }
    const made = new Map<string, MadeImage>();
    for await (const line of linesOf(join(directory, madeName), madeSchema)) {
      // An image that was taken away is made again.
      if (names.has(line.file_name)) made.set(imageId(line), line);
    }
    const missing = new Map<string, MissingImage>();
    for await (const line of linesOf(join(directory, missingName), missingSchema)) {
      if (!line.retryable && !made.has(imageId(line))) missing.set(imageId(line), line);
    }
    // Whole lines only from here on: what is appended must not stick to a torn one.
    await writeList(join(directory, madeName), made.values());
    await writeList(join(directory, missingName), missing.values());
    const files = {
      [madeName]: await open(join(directory, madeName), "a"),
      [missingName]: await open(join(directory, missingName), "a"),
    };
    return new ImageList(directory, { made, missing }, files);
  }

  async addMade(image: MadeImage): Promise<void> {
    this.made.set(imageId(image), image);
    await this.#append(madeName, image);
  }

  async addMissing(image: MissingImage): Promise<void> {
    this.missing.set(imageId(image), image);
    await this.#append(missingName, image);
  }

  /** Writes both lists anew in the order of `ids`; lines of others follow. */
  async close(ids: readonly string[]): Promise<void> {
    await this.#last.catch(() => {});
    for (const file of Object.values(this.#files)) await file.close();
    await writeList(join(this.directory, madeName), inOrderOf(ids, this.made));
    await writeList(join(this.directory, missingName), inOrderOf(ids, this.missing));
  }

  async #append(name: string, line: object): Promise<void> {
    const text = `${JSON.stringify(line)}\n`;
    const written = this.#last.then(() => this.#files[name]?.appendFile(text));
    this.#last = written.catch(() => {});
    try {
      await written;
    } catch (error) {
      throw fileError(error, "write", join(this.directory, name));
    }
  }
}

async function* linesOf<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
): AsyncGenerator<z.output<Schema>> {
  try {
    for await (const { line, value } of readJsonLines(path, { tolerateTornTail: true })) {
      const parsed = schema.safeParse(value);
      if (parsed.success) {
        yield parsed.data;
        continue;
      }
      const [issue] = parsed.error.issues;
      throw new InputError(
        `Expected a list of generated images but received another (in ${path}, line ${line}: ${issue?.path.join(".")})`,
        { hint: "Name another folder with --out; it is made where there is none." },
      );
    }
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (systemCode(error) !== "ENOENT" && systemCode(cause) !== "ENOENT") throw error;
  }
}

function inOrderOf<Line>(ids: readonly string[], lines: ReadonlyMap<string, Line>): Line[] {
  const own = new Set(ids);
  const first = ids.flatMap((id) => lines.get(id) ?? []);
  return [...first, ...[...lines].flatMap(([id, line]) => (own.has(id) ? [] : [line]))];
}

const writeList = (path: string, lines: Iterable<object>): Promise<void> =>
  writeFileAtomically(path, [...lines].map((line) => `${JSON.stringify(line)}\n`).join(""));
