import { smallestOf } from "../../core/extremes.js";
import type { StudyBlock } from "../study.js";

/** On how many prompts the models of a block can be compared. */
export interface SharedPrompts {
  readonly models: number;
  readonly prompts: number;
  /** The fewest prompts that two of the models share. */
  readonly shared: number;
}

/**
 * How many prompts the models of a block of ratings share: `compare` sets models against each other on the
 * prompts that both have, and has no use for other labels. Undefined where there are not two models.
 */
export function sharedPrompts({ items }: StudyBlock): SharedPrompts | undefined {
  const promptsOf = new Map<string, Set<string>>();
  for (const { beside, content } of items) {
    if (typeof beside.model !== "string" || typeof content.text !== "string") continue;
    const prompts = promptsOf.get(beside.model) ?? new Set();
    promptsOf.set(beside.model, prompts.add(String(beside.prompt ?? content.text)));
  }
  const models = [...promptsOf.values()];
  if (models.length < 2) return undefined;
  const shared = models.flatMap((own, at) =>
    models.slice(at + 1).map((other) => [...own].filter((prompt) => other.has(prompt)).length),
  );
  const prompts = new Set(models.flatMap((own) => [...own])).size;
  return { models: models.length, prompts, shared: smallestOf(shared) };
}
