import { InputError } from "../../../core/errors.js";
import { listText } from "../../../core/phrases.js";
import { clearRuns, hiddenRunsName } from "../../../files/hidden-runs.js";
import { pluralText, sizeText } from "../../../views/number-text.js";
import { command } from "../../command-line/command.js";

/** So many names are a line or two. */
const mostNamed = 5;

export default command({
  description:
    `Removes the runs below ${hiddenRunsName} in the current folder: commands keep what they asked there where --run ` +
    "names no other place. Jobs of the studio that have ended are removed, too. Runs in progress stay, and so do tables " +
    "and pages made of removed runs. Without --yes it says what would go, and removes nothing.",
  examples: ["touchstone run clean", "touchstone run clean --yes"],
  arguments: { yes: { kind: "switch", description: "do it" } },
  async run({ given, environment, output }) {
    const { runs, atWork, jobs, bytes, lastWritten } = await clearRuns(
      environment.workingDirectory,
      { removes: given.yes },
    );
    const named = runs.length === 0 || runs.length > mostNamed ? "" : `: ${listText(runs)}`;
    const ended = jobs === 0 ? "" : ` and ${pluralText(jobs, "job")} of the studio`;
    const what = `${pluralText(runs.length, "run")}${ended} below ${hiddenRunsName}`;
    const written = new Date(lastWritten).toISOString();
    const extent =
      lastWritten === 0
        ? ""
        : `, ${sizeText(bytes)}, last written ${written.slice(0, 16).replace("T", " ")} UTC`;
    if (!given.yes && runs.length + jobs > 0) {
      throw new InputError(`Expected --yes to remove ${what}${extent}${named}`, {
        hint: "Nothing was removed. Whoever repeats a removed run asks its models, and pays, again.",
      });
    }
    output.resultJson({ removed: runs.length, atWork, jobs, bytes });
    const left = atWork === 0 ? "" : `; ${pluralText(atWork, "run")} at work left`;
    output.result(`Removed ${what}${extent}${left}${named}.`);
  },
});
