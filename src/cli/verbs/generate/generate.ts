import { InputError } from "../../../core/errors.js";
import { command } from "../../command-line/command.js";
import { outsideArguments } from "../../command-line/shared-arguments.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import { chooseGenerator, defectChoices } from "../../models/generator-choice.js";
import { hostingFor } from "../../models/hosting.js";
import { budgetOf, limitArguments, withoutLimits } from "../run/limits.js";
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
  arguments: {
    prompts: {
      kind: "positional",
      optional: true,
      description: "a table of prompts (JSONL, CSV, Parquet; text, id), or - for standard input",
    },
    out: {
      kind: "text",
      value: "DIR",
      description: "with PROMPTS: the folder to write images to",
    },
    run: {
      kind: "text",
      value: "DIR",
      default: "runs/benchmark",
      description: "without PROMPTS: the folder of the run",
    },
    model: {
      kind: "text",
      value: "PROVIDER:MODEL",
      default: "lab:painter",
      description:
        "the generator: lab:painter (-a to -e err more and more), openai-images:gpt-image-1, " +
        "replicate:OWNER/NAME, fal:ID, folder:DIR (images made elsewhere), recorded:RUN, or a name of " +
        "touchstone.config.yaml",
    },
    samples: {
      kind: "number",
      integer: true,
      minimum: 1,
      description: "images for each sentence of a prompt (default: 5, with PROMPTS 1)",
    },
    seed: {
      kind: "number",
      integer: true,
      minimum: 0,
      description: "with PROMPTS: the random seed (default: 0). A run has its own seed",
    },
    map: {
      kind: "text",
      repeated: true,
      value: "NAME=COLUMN",
      description: "with PROMPTS: read NAME from another column: text=prompt",
    },
    defects: {
      kind: "choice",
      choices: defectChoices,
      default: "none",
      description: "how often lab:painter makes errors; demo: as in the demo",
    },
    embed: {
      kind: "switch",
      description: "with folder:DIR: keep copies of the images in the run",
    },
    wanted: {
      kind: "text",
      value: "FILE.csv",
      description:
        "generate nothing; list the images that the run needs, for another tool to generate",
    },
    ...outsideArguments,
    ...limitArguments,
  },
  async run({ given, environment, output, words }) {
    const { run, model, defects, prompts, out, seed, map, embed, wanted } = given;
    const { settings } = await loadConfiguration(environment);
    const hosting = hostingFor(environment, { maxCost: given["max-cost"], tell: output.note });
    const { meter } = hosting;
    const chosen = await chooseGenerator(model, {
      defects,
      embed,
      hosting,
      allowOutside: given["allow-outside"],
      configured: settings.models,
    });
    if (prompts !== undefined) {
      const samples = given.samples ?? 1;
      return generateIntoFolder({
        prompts,
        out,
        samples,
        map,
        chosen,
        meter,
        environment,
        output,
        seed: seed ?? 0,
        budget: budgetOf(given),
        words: words({ out: undefined, samples, ...withoutLimits }),
      });
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
      meter,
      environment,
      output,
      samples,
      budget: budgetOf(given),
      command: words(again, ["run", "model", "defects"]),
      forFolder: words({ ...again, model: "folder:./images", defects: "none" }, ["run"]),
    });
  },
});
