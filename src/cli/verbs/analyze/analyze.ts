import { conclusions, type RegisteredConclusion } from "../../../conclusions/conclusions.js";
import { commandGroup, type Verb } from "../../command-line/command.js";

/** The verb of a conclusion. */
export const concluding = ({ name, summary, load }: RegisteredConclusion): Verb => ({
  name,
  summary,
  async load() {
    const { conclusionCommand } = await import("../../conclusions/conclusion-command.js");
    return { default: conclusionCommand((await load()).default) };
  },
});

export default commandGroup({
  description:
    "Analyzes a table of scores that you already have. No model, key or server is needed. A file in place of a " +
    "verb is read by the one that its columns tell; what else could read it is said.",
  examples: [
    "touchstone analyze scores.csv",
    "touchstone analyze contrastive scores.csv",
    "touchstone analyze correlation scores.csv --human rating",
    "touchstone example agreement | touchstone analyze agreement - --scale ordinal",
  ],
  verbs: conclusions.filter(({ verb }) => verb === undefined).map(concluding),
  otherwise: {
    takes: (word) => word === "-" || /[./\\*]/.test(word),
    load: () => import("./analyze-table.js"),
  },
});
