import { join, resolve } from "node:path";
import { paintPicture } from "../../../benchmarks/paint-picture.js";
import { keyOf } from "../../../core/keys.js";
import { type ImageGenerator, modelFacts, placedName } from "../../../core/models.js";
import { randomFrom } from "../../../core/random.js";
import { promptRole } from "../../../core/records.js";
import type { Step } from "../../../core/step.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { readTable } from "../../../files/read-table.js";
import { optionalText, text } from "../../../tables/columns.js";
import type { Environment } from "../../environment.js";
import { guessedColumns, guessNotes } from "../score/item-columns.js";
import { isFreeName, type WantedImage } from "./image-list.js";

/** A prompt of a table. */
export interface ListedPrompt {
  readonly text: string;
  readonly id: string | undefined;
  /** Further columns by name, such as its domain or the skill that it asks for. */
  readonly others: Readonly<Record<string, string | number | boolean>>;
}

/**
 * The prompts of a table (`text` or what it calls it, and `id` where it has one), each text once, in their order.
 *
 * @param source a file, or "-" for standard input
 * @throws InputError where the table is not sound.
 */
export async function readPrompts(
  source: string,
  {
    environment: { workingDirectory, stdin },
    map,
    tell,
  }: {
    readonly environment: Environment;
    readonly map: Readonly<Record<string, string>>;
    /** Called with sentences that say which column was read, and which names are alike. */
    readonly tell: (sentence: string) => void;
  },
): Promise<{ readonly prompts: readonly ListedPrompt[]; readonly repeated: number }> {
  const prompts = new Map<string, ListedPrompt>();
  const file = { name: source, path: resolve(workingDirectory, source) };
  const { image: _, ...guessed } = source === "-" ? {} : await guessedColumns(file, map);
  for (const note of guessNotes(guessed)) tell(note);
  let rows = 0;
  const read = { ...guessed, ...map };
  const own = Object.values(read);
  for await (const { row, all } of readTable({
    source: source === "-" ? { name: "standard input", bytes: stdin } : file,
    columns: { text, id: optionalText },
    map: read,
    tell,
  })) {
    rows++;
    if (prompts.has(row.text)) continue;
    const others = Object.entries(all).flatMap(([name, value]) =>
      isFreeName(name) && !own.includes(name) && isPlain(value) ? [[name, value] as const] : [],
    );
    prompts.set(row.text, { ...row, others: Object.fromEntries(others) });
  }
  return { prompts: [...prompts.values()], repeated: rows - prompts.size };
}

const isPlain = (value: unknown): value is string | number | boolean =>
  ["string", "number", "boolean"].includes(typeof value) && value !== "";

/** The images of prompts, `samples` of each. The seed of one follows from `seed`, its prompt and its number alone. */
export function imagesOfPrompts(
  prompts: readonly ListedPrompt[],
  {
    generator,
    seed,
    samples,
  }: {
    readonly generator: ImageGenerator;
    readonly seed: number;
    readonly samples: number;
  },
): WantedImage[] {
  const facts = modelFacts(generator.identity);
  return prompts.flatMap(({ text, id }) =>
    Array.from({ length: samples }, (_, at) => ({
      text,
      ...(id === undefined ? {} : { id }),
      sample: at + 1,
      // Below 2^31, which every provider takes.
      seed: randomFrom(seed, "generate", text, at + 1).integer(2 ** 31),
      ...facts,
    })),
  );
}

/** Makes images into a folder, to whose files the run refers. */
export function paintPrompts(
  images: readonly WantedImage[],
  { generator, directory }: { readonly generator: ImageGenerator; readonly directory: string },
): Step<"image"> {
  const ids = new Map(images.map(({ text, id }) => [text, id]));
  return {
    name: "paint-prompts",
    version: 1,
    produces: "image",
    parameters: { generator: { ...generator.identity } },
    asks: [placedName(generator.identity)],
    async *plan() {
      for (const { text, id: _, sample, ...how } of images) {
        yield { prompt: keyOf({ text }), role: promptRole, sample: sample - 1, text, ...how };
      }
    },
    perform({ text, sample, seed }, context) {
      return paintPicture(
        generator,
        { text, seed, prompt: ids.get(text) ?? "", role: "", sample },
        {
          ...context,
          async writeBlob(bytes, mediaType) {
            const file = join(directory, fileName({ text, sample: sample + 1 }, mediaType));
            await writeFileAtomically(file, bytes);
            return context.writeBlob(bytes, mediaType, file);
          },
          // The folder holds images alone.
          writeTruth: async () => {},
        },
      );
    },
  };
}

const endings: Readonly<Record<string, string>> = { "image/jpeg": "jpg", "image/tiff": "tif" };

/** Names what is seen, and is another for another prompt, however the table changes. */
export function fileName(
  { text, sample }: Pick<WantedImage, "text" | "sample">,
  mediaType: string,
): string {
  const words = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  const start = words.slice(0, 40).replace(/-+$/, "");
  const name = [start, keyOf(text).slice(0, 8), String(sample)].filter((part) => part !== "");
  return `${name.join("-")}.${endings[mediaType] ?? mediaType.replace(/^image\//, "")}`;
}
