import type { Json } from "../../../core/json.js";
import type { Hash } from "../../../core/keys.js";
import type { DescribedEntity } from "../../../core/models.js";

/** An image and a text to score together, as a table or the command line names them. */
export interface ScoreItem {
  /** The image as it was written. */
  readonly image: string;
  /** The file that is meant. */
  readonly path: string;
  /** The SHA-256 of the file, once it was opened and is sound. */
  readonly hash?: Hash;
  readonly text: string;
  /** The folder that the file must lie in; anywhere where not given. */
  readonly folder?: string;
  /** The text's entities, where the table or the command line names them. */
  readonly structure?: readonly DescribedEntity[];
  /** Where it was named, for messages: "line 3". */
  readonly place?: string;
  /** The table's other columns, which results keep. */
  readonly others: Readonly<Record<string, Json>>;
  /** Problem of the item, which is then never shown to a model. */
  readonly problem?: string;
}

/** How a message names an item's problem. */
export const problemText = ({
  place,
  problem = "",
}: Pick<ScoreItem, "place" | "problem">): string =>
  place === undefined ? problem : `${place}: ${problem}`;
