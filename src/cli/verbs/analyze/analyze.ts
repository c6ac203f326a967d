import { conclusions } from "../../../conclusions/conclusions.js";
import { commandGroup } from "../../command-line/command.js";
import { concluding } from "../../conclusions/concluding.js";

export default commandGroup({
  description:
    "Analyzes a table of scores that you already have. No model, key or server is needed.",
  examples: [
    "touchstone analyze contrastive scores.csv",
    "touchstone analyze correlation scores.csv --human rating",
    "touchstone example agreement | touchstone analyze agreement - --scale ordinal",
  ],
  verbs: conclusions.filter(({ verb }) => verb === undefined).map(concluding),
});
