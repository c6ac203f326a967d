import { paintImages } from "../../benchmarks/prototypicality/index.js";
import { placedName } from "../../core/models.js";
import { command } from "../command.js";
import { chooseGenerator, defectChoices } from "../generator-choice.js";
import { collect } from "../run/collect.js";
import { limitArguments, limitsOf } from "../run/limits.js";

export default command({
  description:
    "Makes the images for the prompts of a run: for each prompt so many of the correct and of the " +
    "adversarial sentence and of the two of the control. What was made before is not made again.",
  examples: ["touchstone generate --run runs/benchmark --model lab:painter --samples 5"],
  arguments: {
    run: {
      kind: "text",
      value: "DIR",
      default: "runs/benchmark",
      description: "the folder of the run",
    },
    model: {
      kind: "text",
      value: "PROVIDER:MODEL",
      default: "lab:painter",
      description: "the generator; lab:painter-a to -e err more and more",
    },
    samples: {
      kind: "number",
      integer: true,
      minimum: 1,
      default: 5,
      description: "images for each prompt and sentence",
    },
    defects: {
      kind: "choice",
      choices: defectChoices,
      default: "none",
      description: "what lab:painter gets wrong; demo: as much as in the demo",
    },
    ...limitArguments,
  },
  async run({ given, environment, output }) {
    const { run, model, samples, defects } = given;
    const { generator } = chooseGenerator(model, defects);
    const { summaries } = await collect(
      (folder) => [paintImages({ generator, seed: folder.recipe.seed, samples })],
      {
        run,
        command: [
          ...["generate", "--run", run, "--model", model],
          ...["--samples", String(samples), "--defects", defects],
        ],
        models: [placedName(generator.identity)],
        limits: limitsOf(given),
        environment,
        output,
      },
    );
    const [summary] = summaries;
    const unscored = Object.entries(summary?.unscored ?? {});
    output.result(
      [
        `${summary?.done ?? 0} images in ${run}/blobs`,
        ...unscored.map(([reason, count]) => `${count} not made: ${reason}`),
      ].join("\n"),
    );
    output.resultJson({ run, ...summary, unscored: { ...summary?.unscored } });
    output.nextCommand(`touchstone score ${run} --model lab:vqa --model lab:dual-encoder-skewed`);
  },
});
