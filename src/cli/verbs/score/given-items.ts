import { resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import type { DescribedEntity } from "../../../core/models.js";
import { NoAnswer } from "../../../core/unscored.js";
import { outsideProblem } from "../../../files/outside.js";
import type { KnownFiles } from "../../../images/known-files.js";
import { quoted } from "../../../tables/format.js";
import { parseMap } from "../../../tables/map.js";
import { structure } from "../../../tables/structure-column.js";
import type { Environment } from "../../environment.js";
import type { Output } from "../../terminal/output.js";
import { ItemList, type Looked } from "./item-list.js";
import type { ScoreGiven } from "./score-arguments.js";
import { problemText, type ScoreItem } from "./score-item.js";
import { readItems, type ScoreItems } from "./score-items.js";
import { progressOf } from "./score-progress.js";

/**
 * The images and texts that a command line names: of a folder, a table, or one of each.
 *
 * @throws InputError where it names neither, both, or an entity list without a text.
 */
export async function givenItems(given: ScoreGiven, environment: Environment): Promise<ScoreItems> {
  const { source, image, text, map, entities } = given;
  if (entities !== undefined && (source !== undefined || text === undefined)) {
    throw new InputError("Expected --text for --entities but received none", {
      hint: "A table says it for each row, in a column entities.",
    });
  }
  if (source !== undefined && (image !== undefined || text !== undefined)) {
    throw new InputError("Expected a folder or table, or --image and --text, but received both");
  }
  if (source !== undefined) {
    return readItems(source, {
      environment,
      map: parseMap(map),
      allowOutside: given["allow-outside"],
      skipBad: given["skip-bad"],
      texts: given.texts,
    });
  }
  if (image === undefined || text === undefined) {
    const missing = image === undefined && text === undefined ? "neither" : "only one of these";
    throw new InputError(
      `Expected a folder, a table, or --image and --text but received ${missing}`,
      {
        hint: "See: touchstone score --help",
      },
    );
  }
  if (text.trim() === "") throw new InputError("Expected a text for --text but received nothing");
  const path = resolve(environment.workingDirectory, image);
  const described = entities === undefined ? {} : { structure: structureOf(entities) };
  const items = await ItemList.of([{ image, path, text, ...described, others: {} }]);
  return { items, notes: [], isUnpacked: false, remove: () => items.remove() };
}

/** @throws InputError where --entities holds no structure. */
function structureOf(text: string): readonly DescribedEntity[] {
  const read = structure.read(text, { isText: true });
  if ("value" in read && read.value !== undefined) return read.value;
  const expected = "expected" in read ? read.expected : "a list of entities,";
  throw new InputError(`Expected ${expected} for --entities but received ${quoted(text)}`);
}

/**
 * Looks at the file of every image: that it is there, what it is by its first bytes, and its size in pixels.
 *
 * @param options.decodes whether its pixels are decoded, too: before a model is paid for
 * @throws InputError naming each that is broken, unless `skipBad`.
 */
export async function checkItems(
  items: ItemList,
  {
    environment,
    output,
    skipBad,
    ...how
  }: Looking & {
    readonly environment: Environment;
    readonly output: Output;
    readonly skipBad: boolean;
  },
): Promise<void> {
  await lookAtImages(items, { ...how, environment, output });
  if (!skipBad && items.hasProblem) await refuseBad(items, ({ problem }) => problem);
}

/** @throws InputError that names the items with a problem, where there are any. */
export async function refuseBad(
  items: ItemList,
  problemOf: (item: ScoreItem) => string | undefined,
): Promise<void> {
  const bad: string[] = [];
  for await (const batch of items.batches()) {
    for (const item of batch) {
      const problem = problemOf(item);
      if (problem !== undefined) bad.push(problemText({ ...item, problem }));
    }
  }
  const [first] = bad;
  if (first === undefined) return;
  if (items.length === 1) throw new InputError(first);
  throw new InputError(`${bad.length} of ${items.length} images can't be scored`, {
    problems: bad,
    hint: "No results were written. Correct these rows, or mark them unscored: --skip-bad",
  });
}

// As many as Node reads at a time by default.
const atATime = 4;

/**
 * Looks at every image file once, before any model is asked: a missing or hostile file is then found while nothing has
 * been spent. One that is known is not read.
 */
export async function lookAtImages(
  items: ItemList,
  {
    environment,
    output,
    ...how
  }: Looking & { readonly environment: Environment; readonly output: Output },
): Promise<void> {
  let show: ReturnType<typeof progressOf> | undefined;
  const roots = new Map();
  await items.look((item) => lookedAt(item, { ...how, roots }), {
    atATime,
    onLooked(done, all) {
      environment.signal.throwIfAborted();
      show ??= progressOf("Opening images:", all, { environment, output });
      show(done);
    },
  });
  await how.known.save();
}

interface Looking {
  readonly known: KnownFiles;
  readonly decodes: boolean;
}

async function lookedAt(
  { path, image, folder }: ScoreItem,
  { known, decodes, roots }: Looking & { readonly roots: Map<string, Promise<string | undefined>> },
): Promise<Looked> {
  if (isBase64(image)) {
    return {
      problem: `Can't read "${image.slice(0, 24)}…": it is an image in base64, not a file's name: write it to a file, and name that`,
    };
  }
  const outside = folder === undefined ? undefined : await outsideProblem(path, [folder], roots);
  if (outside !== undefined) return { problem: `Can't read ${image}: ${outside}` };
  try {
    const { hash } = await known.look(path, { name: image, decodes });
    return { hash };
  } catch (thrown) {
    if (thrown instanceof NoAnswer) return { problem: thrown.message };
    throw thrown;
  }
}

/** Whether a cell holds an image itself, as text. */
const isBase64 = (cell: string) => /^data:image\/|^[A-Za-z0-9+/]{256,}={0,2}$/.test(cell);
