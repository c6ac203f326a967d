import { questionKinds } from "../analysis/evidence/evidence-table.js";
import {
  metricVerdict,
  modelsAsked,
  type Sanity,
  sanityVerdict,
} from "../analysis/sanity/sanity-text.js";
import type { TrustCard } from "../analysis/trust-card/trust-card.js";
import { countText } from "../core/phrases.js";
import { fixedText, pluralText } from "../views/number-text.js";
import { metricFound } from "./found.js";
import { shippedFigures } from "./shipped-figures.js";

/** What the sets call a metric of ours. */
const names: Readonly<Record<string, string>> = {
  "clip-score": "CLIPScore",
  "pick-score": "PickScore",
  hps: "HPS v2.1",
  "image-reward": "ImageReward",
};

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

/**
 * How often published people's answers agree with a metric of the catalogue, in a line; undefined where no
 * evidence set has it.
 *
 * @example publishedLine("clip-score") // "68 % of pairs on alignment (4 sets), 56 to 66 % on quality (2 sets), …"
 */
export function publishedLine(metric: string): string | undefined {
  const name = names[metric];
  const found = name === undefined ? [] : metricFound(name, shippedFigures().sets);
  if (found.length === 0) return undefined;
  const parts = questionKinds.flatMap((asked) => {
    const its = found.find((one) => one.asked === asked)?.found;
    if (its === undefined) return [];
    const each = its.each.flatMap(({ figures }) => figures.accuracyWithin.value ?? []);
    each.sort((one, other) => one - other);
    const [least = 0, most = 0] = [each[0], each.at(-1)];
    const text = (share: number) => fixedText(share * 100, 0);
    const average = its.accuracyWithin.value;
    const range = least === most ? text(most) : `${text(least)} to ${text(most)}`;
    const shown = average === null ? range : text(average);
    return [`${shown} % of pairs on ${asked} (${pluralText(its.each.length, "set")})`];
  });
  return parts.join(", ");
}
