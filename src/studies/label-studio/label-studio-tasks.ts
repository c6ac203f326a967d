import type { JsonObject } from "../../core/json.js";
import type { Showing } from "../protocols/protocol.js";
import { protocols } from "../protocols/protocols.js";
import type { Tokens } from "../server/signed-tokens.js";
import type { StudyBlock, StudyItem } from "../study.js";

/** An item as a task of Label Studio: everybody sees it alike. */
export interface LabelStudioTaskItem {
  /** Says nothing of the item to whoever has not the study's secret. */
  readonly key: string;
  readonly item: StudyItem;
  readonly kind: "item" | "gold";
  /** Whether the sides of a pair are exchanged: every other task's are. */
  readonly swapped: boolean;
}

/** The tasks of a block, items and gold mixed, in the order of their keys: as good as drawn. */
export function tasksOf(block: StudyBlock, tokens: Tokens): readonly LabelStudioTaskItem[] {
  const keyed = (kind: "item" | "gold") => (item: StudyItem) => ({
    key: tokens.mac("label-studio", block.name, item.id),
    item,
    kind,
  });
  const isPair = block.settings.protocol === "pairwise";
  return [...block.items.map(keyed("item")), ...block.gold.map(keyed("gold"))]
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map((task, index) => ({ ...task, swapped: isPair && index % 2 === 1 }));
}

/** A task's item as it is shown, its images under these names; by default their numbers from 1. */
export const showingOf = (
  { item, swapped }: Pick<LabelStudioTaskItem, "item" | "swapped">,
  {
    settings,
    names = item.images.map((_, index) => String(index + 1)),
  }: Pick<StudyBlock, "settings"> & { readonly names?: readonly string[] },
): Showing => ({
  item,
  settings,
  names,
  swapped,
  // Its choices name images by their places.
  drawn: (list) => list,
});

/** Turns a recorded answer into one that is given to a showing with numbers as names. */
export function givenFrom(
  recorded: JsonObject,
  { task, block }: { readonly task: LabelStudioTaskItem; readonly block: StudyBlock },
): JsonObject {
  const { protocol } = block.settings;
  // Exchanging sides twice changes nothing, and places of images are their numbers.
  return protocol === "rubric"
    ? recorded
    : protocols[protocol].recorded(recorded, showingOf(task, block));
}
