import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import compareScores from "../../../conclusions/compare/compare.js";
import { InputError } from "../../../core/errors.js";
import { asJson } from "../../../core/json.js";
import type { Arguments, Given } from "../../../core/options.js";
import { dataCells } from "../../../views/view.js";
import type { Command, Invocation } from "../../command-line/command.js";
import { checkOpen, openWhere, outsideArguments } from "../../command-line/shared-arguments.js";
import { shellWords } from "../../command-line/shell-words.js";
import { conclusionCommand } from "../../conclusions/conclusion-command.js";
import { fileWriter } from "../../conclusions/conclusion-file.js";
import { conclusionText } from "../../conclusions/conclusion-text.js";
import type { Environment } from "../../environment.js";
import { isRun } from "../score/score-run.js";

const scores = conclusionCommand(compareScores);

const imageArguments = {
  images: {
    kind: "switch",
    description:
      "compare the images of two tables pixel by pixel, by text and seed; folders and runs always are",
  },
  model: {
    kind: "text",
    value: "PROVIDER:MODEL",
    description: "for images: also their distance by a model that embeds images",
  },
  ...outsideArguments,
} as const satisfies Arguments;

/** The conclusion from tables of scores; of two folders, runs or tables of images, how these changed. */
const command: Command = {
  ...scores,
  description:
    `${scores.description} Of two folders of images or two runs, or of two tables with --images, it says how far ` +
    "images for the same text and seed changed (PSNR, SSIM, and the distance by --model).",
  examples: [
    ...scores.examples,
    "touchstone compare images-before images-now --out changes.html",
    "touchstone compare before.csv now.csv --images --model lab:dual-encoder-skewed",
  ],
  arguments: { ...scores.arguments, ...imageArguments },
  async run(invocation) {
    const { given: parsed, environment } = invocation;
    const given = parsed as unknown as GivenImages;
    const { baseline, file } = given;
    const sides = baseline === undefined ? file : [baseline, ...file];
    const areImages =
      given.images || (await someAsync(sides, (side) => hasImages(side, environment)));
    if (!areImages) {
      if (given.model === undefined) return scores.run(invocation);
      throw new InputError(
        "Expected folders, runs or --images for --model but received tables of scores",
      );
    }
    const [a, b, ...more] = sides;
    if (a === undefined || b === undefined || more.length > 0) {
      throw new InputError(
        `Expected two folders, runs or tables of images to compare but received ${sides.length}`,
        { hint: "touchstone compare images-before images-now" },
      );
    }
    await showImages([a, b], given, invocation);
  },
};
export default command;

type GivenImages = Given<typeof imageArguments> & {
  readonly file: readonly string[];
  readonly map: readonly string[];
  readonly baseline: string | undefined;
  readonly out: string | undefined;
  readonly open: boolean;
  readonly details: boolean;
};

async function someAsync<Item>(items: readonly Item[], is: (item: Item) => Promise<boolean>) {
  for (const item of items) if (await is(item)) return true;
  return false;
}

/** Whether it is a folder of images, or a run. */
async function hasImages(source: string, environment: Environment): Promise<boolean> {
  if (source === "-") return false;
  const found = await stat(resolve(environment.workingDirectory, source)).catch(() => undefined);
  return found?.isDirectory() ?? isRun(source, environment);
}

async function showImages(
  sides: readonly [a: string, b: string],
  { out, open, details, map, model, ...given }: GivenImages,
  { environment, output, words }: Invocation<Arguments>,
): Promise<void> {
  checkOpen({ open, out });
  const write = await fileWriter({ out, file: [] }, environment);
  const { compareImages } = await import("./compare-images.js");
  const { imagesJson, imagesView } = await import("./images-view.js");
  const allowOutside = given["allow-outside"];
  const compared = await compareImages(sides, { model, map, allowOutside, environment, output });
  const { data, ...view } = imagesView(compared, sides);
  const json = () => asJson({ images: imagesJson(compared), verdict: view.verdict });
  const again = shellWords([
    "touchstone",
    ...words({ out: undefined, open: false, details: false }),
  ]);
  await write({
    json,
    view,
    command: again,
    table: () => dataCells(data),
    async page() {
      const { changedChapter } = await import("./changed-chapter.js");
      const { conclusionPage } = await import("../../../report/pages/conclusion-page.js");
      const title = `Images: ${sides.join(" and ")}`;
      return conclusionPage(view, {
        title,
        command: again,
        chapters: await changedChapter(compared.changes, sides),
      });
    },
  });
  output.resultJson(json());
  output.result(conclusionText(view, { style: output.style, details }));
  if (out !== undefined) output.note(`Wrote ${out}`);
  openWhere({ open, out }, environment);
  output.nextCommand(
    words(out === undefined ? { out: "changes.html" } : { out: undefined, details: !details }),
  );
}
