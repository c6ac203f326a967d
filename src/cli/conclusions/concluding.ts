import type { RegisteredConclusion } from "../../conclusions/conclusions.js";
import type { Verb } from "../command-line/command.js";

/** The verb of a conclusion. */
export const concluding = ({ name, summary, load }: RegisteredConclusion): Verb => ({
  name,
  summary,
  async load() {
    const { conclusionCommand } = await import("./conclusion-command.js");
    return { default: conclusionCommand((await load()).default) };
  },
});
