import { conclusions } from "../../../conclusions/conclusions.js";
import { commandGroup, type Verb } from "../../command-line/command.js";
import { concluding } from "../../conclusions/concluding.js";

export default commandGroup({
  description:
    "Analyzes a table of scores that you already have. No model, key or server is needed.",
  examples: [
    "touchstone analyze contrastive scores.csv",
    "touchstone analyze correlation scores.csv --human rating",
    "touchstone example agreement | touchstone analyze agreement - --scale ordinal",
  ],
  verbs: inOrder([
    ...conclusions.filter(({ standsAlone }) => !standsAlone).map(concluding),
    concluding({
      name: "stereotypes",
      summary: "measure how much refined prompts lower the stereotype index",
      load: () => import("./analyze-stereotypes.js"),
    }),
  ]),
});

/** Until all stand in the list of conclusions, in its order. */
function inOrder(verbs: readonly Verb[]): Verb[] {
  const order = [
    ...["contrastive", "swap", "correlation", "preferences", "agreement", "calibration"],
    ...["attributes", "stereotypes", "ensemble", "significance"],
  ];
  return [...verbs].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
}
