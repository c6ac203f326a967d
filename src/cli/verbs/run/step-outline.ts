import { z } from "zod";
import type { JsonObject } from "../../../core/json.js";
import { bareName } from "../../../core/models.js";
import { stepId } from "../../../core/step.js";
import type { JourneyStep } from "../../terminal/journey.js";

/** A score of one picture, and one of each of its entities by itself. */
const scoreCost = 13;
const localizedCost = 60;

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
  "score-images": { title: "Scoring", cost: scoreCost },
  "check-truth": { title: "Comparing pictures with the truth", cost: 1 },
  "check-attributes": { title: "Comparing attributes with the truth", cost: 1 },
  "count-faults": { title: "Counting painters' mistakes", cost: 1 },
  "audit-initial": { title: "Looking for stereotypes", cost: 150 },
  "audit-refined": { title: "Looking for stereotypes again", cost: 150 },
  "refine-queries": { title: "Rewriting queries", cost: 5 },
  "score-alignment": { title: "Scoring prompt fidelity", cost: 20 },
  "judge-pairs": { title: "Judging pairs", cost: 40 },
  "judge-images": { title: "Judging images", cost: 40 },
  "degrade-images": { title: "Altering copies of images", cost: 10 },
};

/** Parts of a step that its outline depends on. */
interface OutlinedStep {
  readonly name: string;
  readonly part?: string;
  readonly parameters?: JsonObject;
  readonly asks?: readonly string[];
}

/** The round of a judge that asks in several, and the painter whose images a step is about. */
const outlinedParameters = z.object({
  round: z.number().optional(),
  generator: z.object({ provider: z.string().optional(), model: z.string() }).optional(),
});

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
    const { title = id, cost = scoreCost } = known[step.name] ?? {};
    const { metric, convention, model } = step.parameters ?? {};
    if (metric === undefined || step.part === undefined) {
      return { id, title: title === id ? id : `${title}${detailsOf(step)}`, cost };
    }
    const models = `${model}`.replaceAll(/@[^ ]*/g, "").replace(/ \/ .*$/, "");
    const name = [metric, convention].filter((word) => word !== undefined).join(" ");
    // Who looks at the same crops as another before it finds them answered.
    const [, strategy] = `${convention}`.split(":");
    const look = `${models} ${strategy}`;
    const isNew = metric === "localized-vqa-score" && strategy !== "none" && !looked.has(look);
    looked.add(look);
    return { id, title: `${title}: ${name} with ${models}`, cost: isNew ? localizedCost : cost };
  });
}

/** ", round 2 (lab:judge)": what tells steps of one kind apart. */
function detailsOf({ part, parameters = {}, asks = [] }: OutlinedStep): string {
  if (part === undefined) return "";
  const { round, generator } = outlinedParameters.parse(parameters);
  const [asked = part] = asks;
  const painter = [generator?.provider, generator?.model].filter((word) => word !== undefined);
  const who = bareName(painter.length === 0 ? asked : painter.join(":"));
  return `${round === undefined ? "" : `, round ${round}`} (${who})`;
}
