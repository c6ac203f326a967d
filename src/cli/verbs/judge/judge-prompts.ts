import { InputError } from "../../../core/errors.js";
import { asJson } from "../../../core/json.js";
import { nearest } from "../../../core/nearest.js";
import type { Given } from "../../../core/options.js";
import { composePrompts } from "../../../judges/compose-prompts.js";
import { lintPromptPool } from "../../../judges/lint-prompt-pool.js";
import type { Prompt } from "../../../judges/prompt.js";
import { loadPromptPool, poolId, promptPoolNames } from "../../../judges/read-prompt-pool.js";
import { samplePrompts } from "../../../judges/sample-prompts.js";
import { countText, pluralText } from "../../../views/number-text.js";
import { argumentWords } from "../../command-line/argument-words.js";
import { command, commandGroup } from "../../command-line/command.js";
import { givenPool, poolArguments, poolSize, readPoolFile } from "./pool-arguments.js";

const list = command({
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
    if (first !== undefined) output.nextCommand(promptWords("show", first.id, given));
  },
});

const show = command({
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
    output.nextCommand(promptWords("sample", "10", given));
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

const sample = command({
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
    if (first !== undefined) output.nextCommand(promptWords("show", first.id, given));
  },
});

function countOf(text: string, most: number): number {
  const count = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (count >= 1 && count <= most) return count;
  throw new InputError(
    `Expected how many prompts, from 1 to ${countText(most)}, but received "${text}"`,
  );
}

const lint = command({
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

/** The words of the verb that does more with a prompt, of the same pool. */
const promptWords = (
  verb: string,
  prompt: string,
  given: Given<typeof poolArguments>,
): string[] => ["judge", "prompts", verb, prompt, ...argumentWords(poolArguments, given)];

export default commandGroup({
  description:
    "The prompts of a judge. They combine personas, templates, criteria, glyphs and orders, " +
    "so that many prompts ask for the same thing in other words.",
  examples: [
    "touchstone judge prompts list",
    "touchstone judge prompts show critic/short/fidelity/AB/straight",
  ],
  verbs: [
    {
      name: "list",
      summary: "list the prompts of a pool",
      load: async () => ({ default: list }),
    },
    {
      name: "show",
      summary: "show the messages of one prompt",
      load: async () => ({ default: show }),
    },
    {
      name: "sample",
      summary: "sample prompts, balanced over their parts",
      load: async () => ({ default: sample }),
    },
    {
      name: "lint",
      summary: "check that a pool's prompts ask for the same thing",
      load: async () => ({ default: lint }),
    },
  ],
});
