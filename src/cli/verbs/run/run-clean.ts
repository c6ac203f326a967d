import { clearHiddenRuns, hiddenRunsName } from "../../../files/hidden-runs.js";
import { pluralText } from "../../../views/number-text.js";
import { command } from "../../command-line/command.js";

export default command({
  description:
    `Removes the runs below ${hiddenRunsName} in the current folder: commands keep what they asked there where --run ` +
    "names no other place. Runs that a process works on stay. Tables and pages made of them stay, too.",
  examples: ["touchstone run clean"],
  arguments: {},
  async run({ environment, output }) {
    const { removed, atWork } = await clearHiddenRuns(environment.workingDirectory);
    output.resultJson({ removed, atWork });
    const left = atWork === 0 ? "" : `; ${pluralText(atWork, "run")} at work left`;
    output.result(`Removed ${pluralText(removed, "run")} below ${hiddenRunsName}${left}.`);
  },
});
