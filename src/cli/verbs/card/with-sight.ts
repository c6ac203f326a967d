import { type Sanity, sanityVerdict } from "../../../analysis/sanity/sanity-text.js";
import type { TrustCard } from "../../../analysis/trust-card/trust-card.js";

/** A card that says what its models see: how it was made, or a caveat where it is not sure that they do. */
export function withSight(card: TrustCard, models: Sanity["models"]): TrustCard {
  const states = Object.values(models)
    .map(({ sight }) => sight.state)
    .filter((state) => state !== "exempt");
  if (states.length === 0) return card;
  const text = states.every((state) => state === "skipped")
    ? "whether the model sees its images was not checked"
    : sanityVerdict({ models, metrics: {} });
  return states.every((state) => state === "sees")
    ? { ...card, method: `${card.method} ${text}` }
    : { ...card, warnings: [text, ...card.warnings] };
}
