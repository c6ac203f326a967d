import { InputError } from "../../../core/errors.js";
import { openStore, runPlace } from "../../../files/open-store.js";
import { shownPlace } from "../../../files/postgres/address.js";
import { verifyRun } from "../../../runs/verify-run.js";
import { command } from "../../command-line/command.js";
import { runArgument } from "../../command-line/shared-arguments.js";
import { shellWords } from "../../command-line/shell-words.js";

export default command({
  description:
    "Verifies a run: records and recipe match the seals made when each step finished; every " +
    "record fits its schema; every key matches its record and is unique; every image exists " +
    "and matches its hash; and every picture of the lab's painter has its description. Lists " +
    "what is damaged and exits with 2. Writes nothing.",
  examples: ["touchstone run verify runs/demo"],
  arguments: {
    run: runArgument,
  },
  async run({ given, environment, output }) {
    const place = runPlace(given.run, environment);
    const store = await openStore(place, { anyhow: true });
    output.progress("Reading all records and images …");
    const { records, images, truths, unsealed, recipeStands, problems } = await verifyRun(store);
    output.resultJson({
      run: given.run,
      isWhole: problems.length === 0,
      records,
      images,
      truths,
      unsealed,
      problems,
    });
    if (problems.length > 0) {
      throw new InputError(
        `Expected a whole run in ${shownPlace(place)} but received a damaged one`,
        {
          problems,
          hint: recipeStands
            ? "Put back what was there, or remove the damaged files of records; then " +
              `${shellWords(["touchstone", "run", "resume", given.run])} makes them anew, and images that are gone or damaged.`
            : "Put back what was there; a recipe can't be made anew.",
        },
      );
    }
    const counted = [
      `${records} records`,
      `${images} images`,
      ...(truths > 0 ? [`${truths} truths`] : []),
    ];
    output.result(`${given.run} is whole: ${counted.join(", ")}.`);
    if (unsealed.length > 0) output.note(unsealedText(unsealed));
    output.nextCommand(["run", "status", given.run]);
  },
});

const unsealedText = (files: readonly string[]): string =>
  `Unsealed: ${files.join(", ")}. ${files.length === 1 ? "It was" : "They were"} finished before ` +
  "records were sealed, or the seal was removed: edited values can't be distinguished from collected ones.";
