import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { labelSamplings } from "../../../analysis/comparison/drawn-labels.js";
import compareScores from "../../../conclusions/compare/compare.js";
import { InputError } from "../../../core/errors.js";
import type { Arguments } from "../../../core/options.js";
import type { Command } from "../../command-line/command.js";
import { conclusionCommand } from "../../conclusions/conclusion-command.js";
import type { Environment } from "../../environment.js";
import { isRun } from "../score/score-run.js";
import { type GivenSides, imageArguments, type SidesInvocation } from "./image-arguments.js";
import { twoSides } from "./side-items.js";

const scores = conclusionCommand(compareScores);

/** The conclusion from tables of scores; of two folders, runs or tables of images, which is better or how they changed. */
const command: Command = {
  ...scores,
  description:
    `${scores.description} Of two folders of images (--images A=DIR --images B=DIR) it says which is better, by people's ` +
    "labels and by metrics that it scores them with; without either, how far images for the same text and seed changed " +
    "(PSNR, SSIM, and the distance by --model).",
  examples: [
    "touchstone compare --images A=images-a --images B=images-b --metric vqa-score=lab:vqa --ask 60",
    "touchstone compare --images A=images-a --images B=images-b --metric vqa-score=lab:vqa --labels people.csv --out page.html",
    ...scores.examples,
    "touchstone compare images-before images-now --out changes.html",
    "touchstone compare --images before=before.csv --images now=now.csv --model lab:dual-encoder-skewed",
  ],
  arguments: {
    ...scores.arguments,
    file: { ...scores.arguments.file, kind: "positional", repeated: true, optional: true },
    ...imageArguments,
  } as Arguments,
  asksModels: (given, environment) => areImages(given as unknown as GivenSides, environment),
  async run(invocation) {
    const { environment } = invocation;
    // The line was read against these very arguments.
    const given = invocation.given as unknown as GivenSides;
    const { images } = given;
    if (await areImages(given, environment)) {
      const places = placesOf(given);
      if (images.length > 0 && places.length > 0) {
        throw new InputError(`Expected --images alone but received ${places.join(", ")} as well`);
      }
      const sides = twoSides([...images, ...places], environment.workingDirectory);
      const { showSides } = await import("./show-sides.js");
      return showSides(sides, given, invocation as unknown as SidesInvocation);
    }
    return scores.run({ ...invocation, given: { ...invocation.given, ...forTable(given) } });
  },
};
export default command;

/** What a table of scores is compared by. @throws InputError for what is for images alone. */
function forTable({ metric, labels, model, ask, prompts, file }: GivenSides) {
  if (file.length === 0) {
    throw new InputError("Expected a table of scores, or --images twice, but received neither", {
      hint: "touchstone compare --images A=images-a --images B=images-b --metric vqa-score=MODEL",
    });
  }
  const idle = [
    ...(model.length > 0 ? ["--model"] : []),
    ...(ask === undefined ? [] : ["--ask"]),
    ...(prompts === undefined ? [] : ["--prompts"]),
  ];
  if (idle.length > 0) {
    throw new InputError(
      `Expected folders, runs or --images for ${idle.join(" and ")} but received tables of scores`,
    );
  }
  const [name, ...names] = metric;
  if (names.length > 0) {
    throw new InputError(
      `Expected one metric of the table for --metric but received ${metric.join(" and ")}`,
    );
  }
  const [sampling = "random", ...more] = labels;
  if (more.length > 0 || !labelSamplings.some((known) => known === sampling)) {
    throw new InputError(
      `Expected ${labelSamplings.join(" or ")} for --labels but received "${labels.join(", ")}"`,
      {
        hint: "A table of scores has people's labels in its column human; a file of labels is for --images",
      },
    );
  }
  return { metric: name, labels: sampling };
}

const placesOf = ({ baseline, file }: GivenSides) =>
  baseline === undefined ? file : [baseline, ...file];

/** Whether images are compared, or else tables of scores. */
async function areImages(given: GivenSides, environment: Environment): Promise<boolean> {
  if (given.images.length > 0) return true;
  for (const place of placesOf(given)) if (await hasImages(place, environment)) return true;
  return false;
}

/** Whether it is a folder of images, or a run. */
async function hasImages(source: string, environment: Environment): Promise<boolean> {
  if (source === "-") return false;
  const found = await stat(resolve(environment.workingDirectory, source)).catch(() => undefined);
  return found?.isDirectory() ?? isRun(source, environment);
}
