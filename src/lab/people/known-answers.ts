import { canonicalJson, type JsonObject } from "../../core/json.js";
import type { Hash } from "../../core/keys.js";
import { itemsOf, type Study, type StudyBlock, type StudyItem } from "../../studies/study.js";

/** The right answer to an item, as a study records it; undefined where nobody knows. */
export type TruthOf = (item: StudyItem, block: StudyBlock) => JsonObject | undefined;

/** An item as somebody sees it: the question's words and the images themselves. */
export interface Seen {
  readonly block: string;
  readonly item: JsonObject;
  /** SHA-256 of each image that was shown, by the name that it was shown under. */
  readonly images: ReadonlyMap<string, Hash>;
}

/** An item that was recognised by what it shows. */
export interface Recognised {
  readonly item: StudyItem;
  readonly answer: JsonObject;
}

/**
 * The right answers by what is seen of items: a simulated person gets no key and no file name either,
 * so what they know of an item they know by its images and words.
 */
export function knownAnswers(
  study: Study,
  truthOf: TruthOf,
): (seen: Seen) => Recognised | undefined {
  const known = new Map<string, Recognised>();
  for (const block of study.blocks) {
    for (const item of itemsOf(block).values()) {
      const answer = truthOf(item, block);
      if (answer === undefined) continue;
      known.set(nameOf(block.name, { content: item.content, images: item.images }), {
        item,
        answer,
      });
    }
  }
  return ({ block, item, images }) =>
    known.get(nameOf(block, { content: item, images: [...images.values()] }));
}

const words = ["text", "question", "caption", "query", "item"] as const;

const nameOf = (
  block: string,
  { content, images }: { readonly content: JsonObject; readonly images: readonly Hash[] },
): string =>
  canonicalJson([block, words.map((word) => content[word] ?? null), [...new Set(images)].sort()]);
