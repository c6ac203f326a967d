import { InputError } from "../../../core/errors.js";
import { command, type Invocation } from "../../command-line/command.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import { chooseGenerator } from "../../models/generator-choice.js";
import { hostingFor } from "../../models/hosting.js";
import { collectAndConclude } from "../run/collect.js";
import { budgetOf, withoutLimits } from "../run/limits.js";
import { generateArguments } from "./generate-arguments.js";
import { generateIntoFolder } from "./into-folder.js";
import { generateIntoRun } from "./into-run.js";

export default command({
  description:
    "Generates images for the prompts of a run: --samples images for each correct, " +
    "adversarial and control sentence. Or generates images for a table of prompts, into a " +
    "folder with metadata.jsonl that score reads. Existing images are not made again.",
  examples: [
    "touchstone generate --run runs/benchmark --model lab:painter --samples 5",
    "touchstone generate --run runs/benchmark --model folder:./images --samples 1",
    "touchstone generate prompts.csv --out images --model openai-images:gpt-image-1 --max-cost 5",
    "touchstone generate prompts.csv --map text=prompt --out images --model fal:fal-ai/flux/schnell --samples 4",
  ],
  arguments: generateArguments,
  async run(invocation) {
    const { given, environment, output, words } = invocation;
    const { run, model, prompts, out, seed, map, embed, wanted } = given;
    const budget = budgetOf(given);
    const { settings, hosting, chosen } = await generatorOf(invocation);
    if (prompts !== undefined) {
      const asked = { chosen, meter: hosting.meter, budget };
      return collectAndConclude(await generateIntoFolder(invocation, asked));
    }
    const idle = Object.entries({ out, seed, map: map[0] }).find(
      ([, value]) => value !== undefined,
    );
    if (idle !== undefined) {
      throw new InputError(`Expected a table of prompts with --${idle[0]} but received none`, {
        hint: "Such as: touchstone generate prompts.csv --out images",
      });
    }
    const samples = given.samples ?? 5;
    const again = { samples, wanted: undefined, ...withoutLimits };
    await generateIntoRun({
      run,
      model,
      embed,
      allowOutside: given["allow-outside"],
      isConfigured: Object.hasOwn(settings.models ?? {}, model),
      wanted,
      chosen,
      meter: hosting.meter,
      environment,
      output,
      samples,
      budget,
      command: words(again, ["run", "model", "defects"]),
      forFolder: words({ ...again, model: "folder:./images", defects: "none" }, ["run"]),
    });
  },
  async make(invocation, { budget, hosting, run }) {
    const { chosen } = await generatorOf(invocation, hosting);
    return generateIntoFolder(invocation, { chosen, meter: hosting.meter, budget, run });
  },
});

async function generatorOf(
  { given, environment, output }: Invocation<typeof generateArguments>,
  hosting = hostingFor(environment, { maxCost: given["max-cost"], tell: output.note }),
) {
  const { model, defects, embed } = given;
  const { settings } = await loadConfiguration(environment);
  const chosen = await chooseGenerator(model, {
    defects,
    embed,
    hosting,
    allowOutside: given["allow-outside"],
    configured: settings.models,
  });
  return { settings, hosting, chosen };
}
