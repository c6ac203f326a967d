import { resolve } from "node:path";
import { InputError } from "../../../core/errors.js";
import type { DescribedEntity } from "../../../core/models.js";
import { quoted } from "../../../tables/format.js";
import { parseMap } from "../../../tables/map.js";
import { structure } from "../../../tables/structure-column.js";
import type { Environment } from "../../environment.js";
import type { Output } from "../../terminal/output.js";
import { checkImages } from "./check-images.js";
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
  return { items: [{ image, path, text, ...described, others: {} }], notes: [] };
}

/** @throws InputError where --entities holds no structure. */
function structureOf(text: string): readonly DescribedEntity[] {
  const read = structure.read(text, { isText: true });
  if ("value" in read && read.value !== undefined) return read.value;
  const expected = "expected" in read ? read.expected : "a list of entities,";
  throw new InputError(`Expected ${expected} for --entities but received ${quoted(text)}`);
}

/**
 * Opens every image.
 *
 * @throws InputError naming each that is broken, unless `skipBad`.
 */
export async function checkedItems(
  items: readonly ScoreItem[],
  {
    environment,
    output,
    skipBad,
  }: { readonly environment: Environment; readonly output: Output; readonly skipBad: boolean },
): Promise<readonly ScoreItem[]> {
  const onChecked = progressOf("Opening images:", items.length, { environment, output });
  const checked = await checkImages(items, { signal: environment.signal, onChecked });
  const bad = checked.filter(({ problem }) => problem !== undefined);
  if (bad.length === 0 || skipBad) return checked;
  const [first] = bad;
  if (first !== undefined && items.length === 1) throw new InputError(problemText(first));
  throw new InputError(`${bad.length} of ${items.length} images can't be scored`, {
    problems: bad.map(problemText),
    hint: "Nothing was scored. Correct these rows, or mark them unscored: --skip-bad",
  });
}
