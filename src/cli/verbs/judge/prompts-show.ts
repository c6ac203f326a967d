import { InputError } from "../../../core/errors.js";
import { asJson } from "../../../core/json.js";
import { nearest } from "../../../core/nearest.js";
import { composePrompts } from "../../../judges/compose-prompts.js";
import type { Prompt } from "../../../judges/prompt.js";
import { argumentWords } from "../../command-line/argument-words.js";
import { command } from "../../command-line/command.js";
import { givenPool, poolArguments } from "./pool-arguments.js";

export default command({
  description:
    "Shows the messages that one prompt sends to a model, with placeholders for what is " +
    "judged.",
  examples: [
    "touchstone judge prompts show critic/short/fidelity/AB/straight",
    "touchstone judge prompts show plain/short/seen/words/flipped --kind yes-no --json",
  ],
  arguments: {
    prompt: {
      kind: "positional",
      description: "the prompt's name, as judge prompts list prints it",
    },
    ...poolArguments,
  },
  async run({ given, environment, output }) {
    const file = await givenPool(given, environment);
    const prompts = composePrompts(file.pool);
    const prompt = prompts.find(({ id }) => id === given.prompt);
    if (prompt === undefined) {
      const meant = nearest(
        given.prompt,
        prompts.map(({ id }) => id),
      );
      throw new InputError(`Expected a prompt of ${file.file} but received ${given.prompt}`, {
        hint:
          meant === undefined
            ? "touchstone judge prompts list names them"
            : `Did you mean ${meant}?`,
      });
    }
    output.resultJson(asJson(prompt));
    output.result(promptText(prompt));
    output.nextCommand([
      "judge",
      "prompts",
      "sample",
      "10",
      ...argumentWords(poolArguments, given),
    ]);
  },
});

/** The messages of a prompt, with placeholders for the images. */
function promptText({ system, task, question, labels, order, tie }: Prompt): string {
  const images =
    labels.length === 0
      ? ["<the image>"]
      : labels.flatMap((label, place) => [label, `<image ${order[place]}>`]);
  return [
    "system:",
    indented([system]),
    "user:",
    indented([task, ...images, question]),
    ...(tie === undefined ? [] : ["where a tie is allowed:", indented([tie.ask])]),
  ].join("\n");
}

const indented = (lines: readonly string[]): string => lines.map((line) => `  ${line}`).join("\n");
