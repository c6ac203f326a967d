import { InputError } from "../../../core/errors.js";
import { asJson } from "../../../core/json.js";
import { countText } from "../../../core/phrases.js";
import { composePrompts } from "../../../judges/compose-prompts.js";
import { poolId } from "../../../judges/prompt-pool-schema.js";
import { samplePrompts } from "../../../judges/sample-prompts.js";
import { argumentWords } from "../../command-line/argument-words.js";
import { command } from "../../command-line/command.js";
import { givenPool, poolArguments } from "./pool-arguments.js";

export default command({
  description:
    "Samples prompts of a pool by a seed, balanced: every part occurs equally often. A " +
    "smaller sample with the same seed is the start of a larger one.",
  examples: [
    "touchstone judge prompts sample 10 --seed 1",
    "touchstone judge prompts sample 20 --kind yes-no --json",
  ],
  arguments: {
    count: { kind: "positional", description: "the number of prompts" },
    seed: { kind: "number", integer: true, minimum: 0, default: 0, description: "the random seed" },
    ...poolArguments,
  },
  async run({ given, environment, output }) {
    const file = await givenPool(given, environment);
    const all = composePrompts(file.pool);
    const count = countOf(given.count, all.length);
    const prompts = samplePrompts({ prompts: all, count, seed: given.seed });
    output.resultJson(
      asJson({
        pool: poolId(file.pool),
        file: file.file,
        seed: given.seed,
        n: prompts.length,
        of: all.length,
        prompts,
      }),
    );
    for (const { id } of prompts) output.result(id);
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

function countOf(text: string, most: number): number {
  const count = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (count >= 1 && count <= most) return count;
  throw new InputError(
    `Expected how many prompts, from 1 to ${countText(most)}, but received "${text}"`,
  );
}
