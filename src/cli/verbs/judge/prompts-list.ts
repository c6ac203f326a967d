import { asJson } from "../../../core/json.js";
import { composePrompts } from "../../../judges/compose-prompts.js";
import { poolId } from "../../../judges/prompt-pool-schema.js";
import { countText } from "../../../views/number-text.js";
import { argumentWords } from "../../command-line/argument-words.js";
import { command } from "../../command-line/command.js";
import { givenPool, poolArguments, poolSize } from "./pool-arguments.js";

export default command({
  description:
    "Lists the prompts of a pool by name (persona/template/criterion/glyphs/order); " +
    "--json prints each in full.",
  examples: [
    "touchstone judge prompts list",
    "touchstone judge prompts list --pool prompts.yaml --json",
  ],
  arguments: poolArguments,
  async run({ given, environment, output }) {
    const file = await givenPool(given, environment);
    const prompts = composePrompts(file.pool);
    output.resultJson(
      asJson({ pool: poolId(file.pool), file: file.file, n: prompts.length, prompts }),
    );
    const shown = prompts.slice(0, 40);
    for (const { id } of shown) output.result(id);
    if (shown.length < prompts.length) {
      output.note(`… and ${countText(prompts.length - shown.length)} more; --json prints all`);
    }
    output.note(`${countText(prompts.length)} prompts; the pool has ${poolSize(file.pool)}.`);
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
