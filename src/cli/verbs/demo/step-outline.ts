import type { JsonObject } from "../../../core/json.js";
import { stepId } from "../../../core/step.js";
import type { JourneyStep } from "../../terminal/journey.js";

/** Titles of steps, in words for everybody, and costs of one item: milliseconds, roughly. */
const known: Readonly<Record<string, { readonly title: string; readonly cost: number }>> = {
  "build-prompts": { title: "Writing prompts", cost: 1 },
  "build-descriptions": { title: "Writing descriptions", cost: 1 },
  "build-queries": { title: "Choosing queries", cost: 1 },
  "build-pairs": { title: "Writing captions", cost: 1 },
  "paint-images": { title: "Painting pictures", cost: 10 },
  "paint-queries": { title: "Painting people", cost: 40 },
  "paint-refined": { title: "Painting rewritten queries", cost: 40 },
  "paint-pairs": { title: "Painting pairs", cost: 10 },
  "rate-images": { title: "Filtering pictures", cost: 13 },
  "check-truth": { title: "Comparing pictures with the truth", cost: 1 },
  "check-attributes": { title: "Comparing attributes with the truth", cost: 1 },
  "count-faults": { title: "Counting painters' mistakes", cost: 1 },
  "audit-initial": { title: "Looking for stereotypes", cost: 150 },
  "audit-refined": { title: "Looking for stereotypes again", cost: 150 },
  "refine-queries": { title: "Rewriting queries", cost: 5 },
  "score-alignment": { title: "Scoring rewritten queries", cost: 20 },
  "judge-pairs": { title: "Judging pairs by each prompt", cost: 40 },
};

/** Parts of a step that its outline depends on. */
interface OutlinedStep {
  readonly name: string;
  readonly part?: string;
  readonly parameters?: JsonObject;
}

/** A score of one picture, and one of each of its entities by itself. */
const scoreCost = 13;
const localizedCost = 60;

/** Step after a run is collected. */
export const drawingConclusions: JourneyStep = {
  id: "conclusions",
  title: "Drawing conclusions, plots and pages",
  cost: 20,
};

/** Steps as people are told of them; what they cost is beside each other, over as many items. */
export function outlineOf(steps: readonly OutlinedStep[]): JourneyStep[] {
  const looked = new Set<string>();
  return steps.map((step) => {
    const id = stepId(step);
    if (step.name !== "score-images") {
      const { title = id, cost = scoreCost } = known[step.name] ?? {};
      return { id, title: step.part === undefined ? title : `${title} (${step.part})`, cost };
    }
    const { metric, convention, model } = step.parameters ?? {};
    const models = `${model}`.replaceAll(/@[^ ]*/g, "").replace(/ \/ .*$/, "");
    const name = [metric, convention].filter((word) => word !== undefined).join(" ");
    // Who looks at the same crops as another before it finds them answered.
    const [, strategy] = `${convention}`.split(":");
    const look = `${models} ${strategy}`;
    const isNew = metric === "localized-vqa-score" && strategy !== "none" && !looked.has(look);
    looked.add(look);
    const cost = isNew ? localizedCost : scoreCost;
    return { id, title: `Scoring: ${name} with ${models}`, cost };
  });
}
