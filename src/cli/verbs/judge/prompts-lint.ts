import { InputError } from "../../../core/errors.js";
import { composePrompts } from "../../../judges/compose-prompts.js";
import { lintPromptPool } from "../../../judges/lint-prompt-pool.js";
import { loadPromptPool, promptPoolNames } from "../../../judges/read-prompt-pool.js";
import { pluralText } from "../../../views/number-text.js";
import { command } from "../../command-line/command.js";
import { poolSize, readPoolFile } from "./pool-arguments.js";

export default command({
  description:
    "Checks that all prompts of a pool ask for the same thing: the caption once and in " +
    "quotes, both answers named and asked for once, no leading or inverting words, lengths " +
    "within bounds, no repeated part, an order that really flips. Checks FILE, or the " +
    "built-in pools.",
  examples: [
    "touchstone judge prompts lint",
    "touchstone judge prompts lint data/prompts/pairwise.yaml",
  ],
  arguments: {
    file: { kind: "positional", optional: true, description: "a pool in YAML" },
  },
  async run({ given, environment, output }) {
    const files =
      given.file === undefined
        ? promptPoolNames.map(loadPromptPool)
        : [await readPoolFile(given.file, environment)];
    const problems = files.flatMap((file) =>
      lintPromptPool(file).map(
        ({ line, member, message }) => `${file.file}, line ${line}: ${member}: ${message}`,
      ),
    );
    if (problems.length > 0) {
      throw new InputError(
        `Expected prompts that all ask for the same thing but ${problems.length} ` +
          `${problems.length === 1 ? "thing keeps" : "things keep"} them from it`,
        { problems, hint: "data/prompts/pairwise.yaml of this package is an example without any" },
      );
    }
    output.resultJson({
      pools: files.map(({ file, pool }) => ({
        file,
        kind: pool.kind,
        version: pool.version,
        prompts: composePrompts(pool).length,
        problems: [],
      })),
    });
    for (const { file, pool } of files) {
      const count = pluralText(composePrompts(pool).length, "prompt");
      output.result(`${file}: no problem in ${count} (${poolSize(pool)})`);
    }
    const pool = given.file === undefined ? [] : ["--pool", given.file];
    output.nextCommand(["judge", "prompts", "sample", "10", ...pool]);
  },
});
