import { clearHiddenRuns, hiddenRunsName } from "../../../files/hidden-runs.js";
import { pluralText } from "../../../views/number-text.js";
import { command } from "../../command-line/command.js";

export default command({
  description:
    `Removes the runs below ${hiddenRunsName} in the current folder: commands keep what they asked there where --run ` +
    "names no other place. Jobs of the studio that have ended are removed, too. Runs in progress stay, and so do tables and pages made of removed runs.",
  examples: ["touchstone run clean"],
  arguments: {},
  async run({ environment, output }) {
    const { removed, atWork, jobs } = await clearHiddenRuns(environment.workingDirectory);
    output.resultJson({ removed, atWork, jobs });
    const left = atWork === 0 ? "" : `; ${pluralText(atWork, "run")} at work left`;
    const ended = jobs === 0 ? "" : ` and ${pluralText(jobs, "job")} of the studio`;
    output.result(`Removed ${pluralText(removed, "run")}${ended} below ${hiddenRunsName}${left}.`);
  },
});
