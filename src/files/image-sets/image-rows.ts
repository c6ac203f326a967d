import { InputError } from "../../core/errors.js";

/** An image with what stands beside it, in a file that holds many. */
export interface ImageRow {
  /** Where it stands, for messages and results: "s/0001 of shard.tar", "row 3". */
  readonly place: string;
  /** The name of the image. */
  readonly image: string;
  /** Its bytes; undefined where they lie in a file of the name `image`, or are missing. */
  readonly bytes: Uint8Array | undefined;
  /** All else by name: columns, or texts of an archive's members. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Names of texts in data sets, the surest first; "txt" is WebDataset's. */
const textNames = ["text", "prompt", "caption", "txt", "description", "title"];

/** Which of some columns holds the text by its name; undefined where none says so. */
export const guessedTextColumn = (columns: readonly string[]): string | undefined =>
  textNames.find((text) => columns.includes(text));

/**
 * Which of some columns holds the text.
 *
 * @throws InputError where none has a name that says so.
 */
export function textColumn(columns: readonly string[], name: string): string {
  const found = guessedTextColumn(columns);
  if (found !== undefined) return found;
  throw new InputError(
    `Expected a column ${textNames.join(", ")} in ${name} but found ${columns.join(", ") || "none"}`,
    { hint: `Name the one with the text: --map text=${columns[0] ?? "my_column"}` },
  );
}
