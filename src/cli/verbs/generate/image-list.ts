import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { InputError } from "../../../core/errors.js";
import { placed } from "../../../core/models.js";
import { imageMaking } from "../../../core/records.js";
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

const madeFields = z.object({
  file_name: z.string(),
  ...wanted,
  revised_prompt: z.string().exactOptional(),
  making: imageMaking.exactOptional(),
});
/** Further columns of the prompts' table stay. */
const madeSchema = madeFields.loose();
const missingSchema = z.object({
  ...wanted,
  reason: z.enum(unscoredReasons),
  retryable: z.boolean(),
  detail: z.string(),
});

/** An image of a folder, made or not: its prompt, its number and its model. */
export type WantedImage = Omit<MadeImage, "file_name" | "revised_prompt" | "making">;
/** A line of metadata.jsonl: an image that was made. */
export type MadeImage = z.output<typeof madeFields>;
/** A line of unscored.jsonl: an image that was not. */
export type MissingImage = z.output<typeof missingSchema>;

const madeName = "metadata.jsonl";
const missingName = "unscored.jsonl";
const hint = "Name another folder with --out; it is made where there is none.";

/** Whether a column of the prompts' table may stand beside an image under its own name. */
export const isFreeName = (column: string): boolean => !(column in madeFields.shape);

/** Identifies an image of a folder. */
export const imageId = ({ text, sample }: Pick<MadeImage, "text" | "sample">): string =>
  JSON.stringify([text, sample]);

/**
 * The lists of a folder of generated images: metadata.jsonl, which `score` reads, and unscored.jsonl.
 */
export class ImageList {
  readonly made = new Map<string, MadeImage>();
  /** Those that would fail again, of an earlier time. */
  readonly missing = new Map<string, MissingImage>();
  readonly #directory: string;
  /** The folder's files when it was opened. */
  readonly #names: ReadonlySet<string>;

  private constructor(directory: string, names: ReadonlySet<string>) {
    this.#directory = directory;
    this.#names = names;
  }

  /**
   * Reads the lists of a folder, which is made where there is none. A torn last line, left by a killed process of
   * version 0.2, is passed over.
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
        { hint },
      );
    }
    const list = new ImageList(directory, names);
    for await (const line of linesOf(join(directory, madeName), madeSchema)) {
      // An image that was taken away is made again.
      if (names.has(line.file_name)) list.made.set(imageId(line), line);
    }
    for await (const line of linesOf(join(directory, missingName), missingSchema)) {
      if (!line.retryable && !list.made.has(imageId(line))) list.missing.set(imageId(line), line);
    }
    return list;
  }

  /**
   * Images of one folder are of one model, so that nobody takes one's for another's.
   *
   * @throws InputError where it holds images of another model or seed than these.
   */
  refuseOthers(wanted: readonly WantedImage[]): void {
    const [first] = wanted;
    if (first === undefined) return;
    const own = placed(first);
    const other = [...this.made.values()].map(placed).find((name) => name !== own);
    if (other !== undefined) {
      throw new InputError(
        `Expected a folder of images by ${own} but ${this.#directory} holds some by ${other}`,
        { hint },
      );
    }
    const reseeded = wanted.find((one) => (this.made.get(imageId(one)) ?? one).seed !== one.seed);
    if (reseeded === undefined) return;
    throw new InputError(
      `Expected a folder of images made with this --seed but ${this.#directory} holds others`,
      { hint },
    );
  }

  /** Whether a file was in the folder when it was opened. */
  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** Whether an image need not be asked for: it is there, or would fail again. */
  isSettled(image: WantedImage): boolean {
    return this.made.has(imageId(image)) || this.missing.has(imageId(image));
  }

  addMade(image: MadeImage): void {
    this.made.set(imageId(image), image);
    this.missing.delete(imageId(image));
  }

  addMissing(image: MissingImage): void {
    this.missing.set(imageId(image), image);
  }

  /** Writes both lists in the order of `ids`; lines of others follow. */
  async write(ids: readonly string[]): Promise<void> {
    await writeList(join(this.#directory, madeName), inOrderOf(ids, this.made));
    await writeList(join(this.#directory, missingName), inOrderOf(ids, this.missing));
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
        { hint },
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
