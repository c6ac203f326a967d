import {
  metricVerdict,
  modelsAsked,
  type Sanity,
  sanityVerdict,
} from "../analysis/sanity/sanity-text.js";
import type { TrustCard } from "../analysis/trust-card/trust-card.js";
import { countText } from "../core/phrases.js";
import { publishedLine } from "./published-line.js";

/** A card that says what its models see, with a caveat where it is not sure that they do. */
export function withSight(card: TrustCard, models: Sanity["models"]): TrustCard {
  const states = Object.values(models)
    .map(({ sight }) => sight.state)
    .filter((state) => state !== "exempt");
  if (states.length === 0) return card;
  const text = states.every((state) => state === "skipped")
    ? "whether the model sees its images was not checked"
    : sanityVerdict({ models, metrics: {} });
  return states.every((state) => state === "sees")
    ? withNotes(card, [text])
    : { ...card, warnings: [text, ...card.warnings] };
}

/**
 * A card with a caveat for each model that sees no detail as small as things in the pictures it was asked about.
 *
 * @param asked.smallestThing its length as a share of the pictures' width
 */
export function withUnseenDetails(
  card: TrustCard,
  { models, smallestThing }: { readonly models: Sanity["models"]; readonly smallestThing: number },
): TrustCard {
  const warnings = Object.entries(models).flatMap(([name, { acuity }]) => {
    if (acuity === undefined || (acuity.pixels ?? acuity.of) <= smallestThing * acuity.of)
      return [];
    const of = countText(acuity.of);
    const size = Math.round(smallestThing * acuity.of);
    return [
      `the smallest things in these pictures are ${size} of ${of} pixels wide; ${name} was not shown to see things that small`,
    ];
  });
  return { ...card, warnings: [...warnings, ...card.warnings] };
}

/** A card that says what was found of its metric in the run whose records it is of, and of the run's models. */
export function withSanity(card: TrustCard, { metrics, models }: Sanity): TrustCard {
  const of = Object.entries(metrics).find(([name]) => cardNameOf(name) === card.subject.name);
  if (of === undefined) return card;
  const [name, found] = of;
  const checked =
    found.state === "skipped" ? card : withNotes(card, [metricVerdict(card.subject.name, found)]);
  return withSight(checked, modelsAsked(models, name));
}

/** @example cardNameOf("vqa-score=lab:vqa") // "vqa-score (lab:vqa)" */
const cardNameOf = (name: string) => name.replace(/=(.*)$/, " ($1)");

/** What published people's answers say of each metric, by its name; of the lab's models they say nothing. */
export const evidenceOf = (cards: readonly TrustCard[]): Record<string, string> =>
  Object.fromEntries(
    cards.flatMap(({ subject: { name } }) => {
      // "clip-score:hessel (MODEL)" is a clip-score.
      const line = name.includes("lab:")
        ? undefined
        : publishedLine(name.split(/[:( ]/)[0] ?? name);
      return line === undefined ? [] : [[name, line] as const];
    }),
  );

/** A card that says what published people's answers say of its metric. */
export function withEvidence(card: TrustCard, evidence: Record<string, string>): TrustCard {
  const line = evidence[card.subject.name];
  return line === undefined
    ? card
    : withNotes(card, [`Published: it agrees with people on ${line} (touchstone evidence).`]);
}

const withNotes = (card: TrustCard, notes: readonly string[]): TrustCard => ({
  ...card,
  notes: [...card.notes, ...notes],
});
