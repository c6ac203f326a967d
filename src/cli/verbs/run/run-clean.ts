import { listText } from "../../../core/phrases.js";
import { clearHiddenRuns, hiddenRunsName } from "../../../files/hidden-runs.js";
import { pluralText } from "../../../views/number-text.js";
import { command } from "../../command-line/command.js";

/** So many names are a line or two. */
const mostNamed = 5;

export default command({
  description:
    `Removes the runs below ${hiddenRunsName} in the current folder: commands keep what they asked there where --run ` +
    "names no other place. Jobs of the studio that have ended are removed, too. Runs in progress stay, and so do tables and pages made of removed runs.",
  examples: ["touchstone run clean"],
  arguments: {},
  async run({ environment, output }) {
    const { removed, atWork, jobs } = await clearHiddenRuns(environment.workingDirectory);
    output.resultJson({ removed: removed.length, atWork, jobs });
    const left = atWork === 0 ? "" : `; ${pluralText(atWork, "run")} at work left`;
    const ended = jobs === 0 ? "" : ` and ${pluralText(jobs, "job")} of the studio`;
    const named =
      removed.length === 0 || removed.length > mostNamed ? "" : `: ${listText(removed)}`;
    output.result(
      `Removed ${pluralText(removed.length, "run")}${ended} below ${hiddenRunsName}${left}${named}.`,
    );
  },
});
