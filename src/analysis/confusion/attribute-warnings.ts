import { fewClusters } from "../inference/few-clusters.js";
import type { AttributeConclusion } from "./attribute-conclusion.js";

/** Caveats of attribute scores, a sentence each. */
export function attributeWarnings(
  {
    pooled,
    imageMean,
    images,
    unscored,
    dropped: { duplicates, shared },
    intervals,
  }: Omit<AttributeConclusion, "warnings">,
  {
    contradicted,
    spellings,
  }: {
    readonly contradicted: number;
    /** Names that differ in nothing but capitals and spaces, each with the others like it. */
    readonly spellings: readonly (readonly string[])[];
  },
): string[] {
  const warnings: string[] = [];
  const scored = images.length - pooled.unscored;
  const one = (count: number, single: string, several: string) => (count === 1 ? single : several);
  if (unscored > 0) {
    warnings.push(
      `${unscored} ${one(unscored, "question is", "questions are")} unscored: ${pooled.unscored} of ` +
        `${images.length} images ${one(pooled.unscored, "is", "are")} excluded from all but the bounds`,
    );
  }
  if (duplicates > 0) {
    warnings.push(
      `${duplicates} ${one(duplicates, "row repeats an earlier one and was", "rows repeat earlier ones and were")} dropped` +
        (contradicted === 0
          ? ""
          : `; ${contradicted} of them ${one(contradicted, "has", "have")} another answer, and the first counts`),
    );
  }
  if (shared > 0) {
    warnings.push(
      `${shared} leakage ${one(shared, "question equals", "questions equal")} a reflection question of the image and ` +
        `${one(shared, "was", "were")} dropped`,
    );
  }
  const [alike] = spellings;
  if (alike !== undefined) {
    const others = spellings.length - 1;
    warnings.push(
      `${alike.map((name) => JSON.stringify(name)).join(" and ")} differ in capitals or spaces alone ` +
        `and count as different names${others === 0 ? "" : `, as do ${others} more`}`,
    );
  }
  for (const [name, why] of [
    ["precision", "no question was answered yes"],
    ["recall", "there is no reflection question"],
  ] as const) {
    const without = scored - imageMean.n[name];
    if (without > 0) {
      warnings.push(
        `${name} is undefined for ${without} of ${scored} images, where ${why}; its mean is over the others`,
      );
    }
  }
  return [...warnings, ...fewClusters(intervals)];
}
