import { asJson } from "../../../core/json.js";
import { poolId } from "../../../judges/prompt-pool-schema.js";
import { argumentWords } from "../../command-line/argument-words.js";
import { command } from "../../command-line/command.js";
import { shellWords } from "../../command-line/shell-words.js";
import {
  givenPool,
  partArguments,
  poolArguments,
  poolSize,
  promptsWith,
} from "./pool-arguments.js";

export default command({
  description:
    "Lists the prompts of a pool by name (persona/template/criterion/glyphs/order). Flags " +
    "select prompts by their parts; --json prints each in full.",
  examples: [
    "touchstone judge prompts list",
    "touchstone judge prompts list --persona critic --persona plain --glyphs AB --json",
    "touchstone judge prompts list --pool prompts.yaml --limit 0",
  ],
  arguments: {
    ...poolArguments,
    ...partArguments,
    limit: {
      kind: "number",
      integer: true,
      minimum: 0,
      default: 40,
      description: "print at most N names; 0: all; --json prints all",
    },
  },
  async run({ given, environment, output, words }) {
    const file = await givenPool(given, environment);
    const prompts = promptsWith(file, given);
    output.resultJson(
      asJson({ pool: poolId(file.pool), file: file.file, n: prompts.length, prompts }),
    );
    const shown = given.limit === 0 ? prompts : prompts.slice(0, given.limit);
    for (const { id } of shown) output.result(id);
    if (shown.length < prompts.length) {
      const more = (prompts.length - shown.length).toLocaleString("en-US");
      output.note(`… and ${more} more: ${shellWords(["touchstone", ...words({ limit: 0 })])}`);
    }
    output.note(
      `${prompts.length.toLocaleString("en-US")} prompts; the pool has ${poolSize(file.pool)}.`,
    );
    const [first] = prompts;
    if (first !== undefined)
      output.nextCommand([
        "judge",
        "prompts",
        "show",
        first.id,
        ...argumentWords(poolArguments, given),
      ]);
  },
});
