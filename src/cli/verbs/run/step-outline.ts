import { z } from "zod";
import { stepKindOf } from "../../../benchmarks/step-kinds.js";
import type { JsonObject } from "../../../core/json.js";
import { bareName } from "../../../core/models.js";
import { stepId } from "../../../core/step.js";
import type { JourneyStep } from "../../terminal/journey.js";

/** Of a score that looks at each entity of a picture by itself. */
const localizedCost = 60;
/** Of a step of somebody's own. */
const unknownCost = 13;

/** Parts of a step that its outline depends on. */
interface OutlinedStep {
  readonly name: string;
  readonly version: number;
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
    const { title = id, cost = unknownCost } = stepKindOf(step) ?? {};
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
