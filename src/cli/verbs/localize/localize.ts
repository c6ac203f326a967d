import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { IncompleteError, InputError } from "../../../core/errors.js";
import { modelName, type Picture } from "../../../core/models.js";
import type { Given } from "../../../core/options.js";
import { NoAnswer } from "../../../core/unscored.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { refuseTexts } from "../../../files/image-folder.js";
import { boxAround } from "../../../images/box.js";
import { localize } from "../../../images/localize.js";
import { type ReadMask, readMask } from "../../../images/mask-file.js";
import { maskOverlay } from "../../../images/mask-overlay.js";
import { openPictureFile } from "../../../images/picture-file.js";
import { encodePng } from "../../../images/pixels-picture.js";
import { command, type Invocation, type Means } from "../../command-line/command.js";
import { checkEnding, checkOut, checkTarget } from "../../command-line/out-path.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import type { Environment } from "../../environment.js";
import { type Hosting, hostingFor } from "../../models/hosting.js";
import { modelFor } from "../../models/model-for.js";
import { collectAndConclude, type PreparedRun } from "../run/collect.js";
import { budgetOf, type GivenLimits } from "../run/limits.js";
import { localizeArguments, localizeMany } from "./localize-many.js";

export default command({
  description:
    "Makes the image that a localised metric sees: the part outside an entity's mask is " +
    "blurred (51 x 51 pixels, sigma 25), black or unchanged; the mask's box plus a margin of " +
    "a tenth is cropped, enlarged and centred on white. The mask is an image file of the " +
    "same size, light inside, or what a model finds for --entity. In a mask of black and one " +
    "other value, such as 0 and 1, the other value is inside; in a mask of one colour with " +
    "transparency, the opaque part is; a note then says so. The image keeps its size.",
  examples: [
    "touchstone metrics localize images --model masks:made-by-hand.jsonl --out masks",
    "touchstone metrics localize outfit.png --mask skirt.png --strategy blurring+cropping --out seen.png",
    "touchstone metrics localize outfit.png --mask skirt.png --strategy masking --out seen.png --overlay mask.png",
  ],
  arguments: localizeArguments,
  async run(invocation) {
    const { given, environment, output, words } = invocation;
    const { workingDirectory } = environment;
    const { strategy, out, overlay } = given;
    if (await isMany(given.image, environment)) {
      return collectAndConclude(await preparedMany(invocation, { budget: budgetOf(given) }));
    }
    refuseTexts(given.texts, given.image);
    refuseLimits(given);
    await checkFiles(given, environment);
    const image = await opened(
      openPictureFile(resolve(workingDirectory, given.image), given.image),
    );
    const pixels = await opened(image.pixels());
    const { mask, from, note, hint } = await maskFor(image, given, {
      environment,
      tell: output.note,
    });
    const box = boxAround(mask);
    if (box === undefined) {
      throw new InputError(`Expected a mask with something inside but received ${from}`, {
        ...(hint === undefined ? {} : { hint }),
      });
    }
    if (note !== undefined) output.note(note);
    const seen = localize(pixels, { mask, strategy });
    await writeFileAtomically(resolve(workingDirectory, out), encodePng(seen));
    if (overlay !== undefined) {
      const shown = encodePng(maskOverlay(pixels, mask));
      await writeFileAtomically(resolve(workingDirectory, overlay), shown);
    }

    const inside = mask.data.reduce((sum, one) => sum + one, 0) / mask.data.length;
    const { x0, y0, x1, y1 } = box;
    output.result(
      `${strategy}: ${(100 * inside).toPrecision(3)} % of ${given.image} is inside the mask, whose ` +
        `box with its margin is ${x1 - x0} x ${y1 - y0} pixels at (${x0}, ${y0})`,
    );
    output.note(`Wrote ${[out, ...(overlay === undefined ? [] : [overlay])].join(" and ")}`);
    output.resultJson({
      image: given.image,
      mask: from,
      strategy,
      inside,
      out,
      ...(overlay === undefined ? {} : { overlay }),
      box: { x0, y0, x1, y1 },
      size: { width: seen.width, height: seen.height },
    });
    if (overlay === undefined) output.nextCommand(words({ overlay: "overlay.png" }));
    else {
      const other = strategy === "masking" ? "blurring" : "masking";
      output.nextCommand(words({ strategy: other, out: `${other}.png` }));
    }
  },
  make: preparedMany,
});

type LocalizeGiven = Given<typeof localizeArguments>;

/** One image is one question, which makes no run. */
function refuseLimits(given: GivenLimits): void {
  const limited = Object.keys(budgetOf(given).limits).length > 0;
  if (!limited && given.plan !== true) return;
  throw new InputError(
    "Expected many images for --plan, --max-calls, --max-cost and --max-minutes but received one",
    { hint: "See: touchstone metrics localize --help" },
  );
}

/** Checks the arguments before anything is opened. */
async function checkFiles(given: LocalizeGiven, { workingDirectory }: Environment): Promise<void> {
  const { image, mask, entity, model, out, overlay } = given;
  for (const [flag, path] of Object.entries({ out, overlay })) {
    if (path === undefined) continue;
    checkEnding(path, [".png"], flag);
    await checkOut(path, { inputs: [image, mask], workingDirectory, flag });
    await checkTarget(resolve(workingDirectory, path));
  }
  if (
    overlay !== undefined &&
    resolve(workingDirectory, overlay) === resolve(workingDirectory, out)
  ) {
    throw new InputError(`Expected two files for --out and --overlay but received "${out}" twice`);
  }
  const isByMask = mask !== undefined && entity.length === 0 && model === undefined;
  const isByModel = mask === undefined && entity.length === 1 && model !== undefined;
  if (isByMask || isByModel) return;
  const flags = Object.entries({ mask, entity: entity[0], model }).filter(
    ([, value]) => value !== undefined,
  );
  throw new InputError(
    `Expected --mask, or --entity and --model, but received ${
      flags.map(([name]) => `--${name}`).join(" and ") || "none of them"
    }`,
    { hint: "See: touchstone metrics localize --help" },
  );
}

async function maskFor(
  image: Picture,
  given: LocalizeGiven,
  {
    environment,
    tell,
  }: { readonly environment: Environment; readonly tell: (text: string) => void },
): Promise<ReadMask & { readonly from: string }> {
  if (given.mask !== undefined) {
    const path = resolve(environment.workingDirectory, given.mask);
    const file = await opened(openPictureFile(path, given.mask));
    if (file.width !== image.width || file.height !== image.height) {
      throw new InputError(
        `Expected a mask of the size of ${given.image}, ${image.width} x ${image.height} pixels, ` +
          `but received ${given.mask}, ${file.width} x ${file.height}`,
      );
    }
    return { ...(await opened(readMask(file, given.mask))), from: given.mask };
  }
  const {
    entity: [entity = ""],
    model: text = "",
  } = given;
  const { localizer: model } = await chooseLocalizer(text, environment, { tell });
  const mask = await opened(model.localize(image, entity, { signal: environment.signal }));
  if (mask === undefined) {
    throw new IncompleteError(`${modelName(model.identity)} finds no ${entity} in ${given.image}`, {
      hint: "Nothing was written. A metric would use the whole image here, and say so.",
    });
  }
  return { mask, from: modelName(model.identity) };
}

/** A folder or a table, by its name. */
const isMany = async (name: string, { workingDirectory }: Environment): Promise<boolean> =>
  /\.(jsonl|csv|parquet|tar)$/i.test(name) ||
  (await stat(resolve(workingDirectory, name)).catch(() => undefined))?.isDirectory() === true;

async function preparedMany(
  invocation: Invocation<typeof localizeArguments>,
  { hosting, ...means }: Partial<Means> & Pick<Means, "budget">,
): Promise<PreparedRun> {
  const { given, environment } = invocation;
  const { mask, overlay, model } = given;
  if (mask !== undefined || overlay !== undefined || model === undefined) {
    throw new InputError("Expected --model, without --mask and --overlay, for many images", {
      hint: `Masks that you have are a model, too: --model masks:${mask ?? "DIR"}`,
    });
  }
  const chosen = await chooseLocalizer(model, environment, {
    hosting,
    maxCost: given["max-cost"],
    tell: invocation.output.note,
  });
  return localizeMany(invocation, { ...chosen, ...means });
}

async function chooseLocalizer(
  text: string,
  environment: Environment,
  {
    hosting: shared,
    maxCost,
    tell,
  }: {
    readonly hosting?: Hosting | undefined;
    readonly maxCost?: number | undefined;
    readonly tell: (text: string) => void;
  },
) {
  const { settings } = await loadConfiguration(environment);
  const hosting = shared ?? hostingFor(environment, { settings: settings.cache, maxCost, tell });
  const choosing = { flag: "--model", configured: settings.models, hosting };
  const { model, callsAtOnce = 1 } = await modelFor(text, "Localizer", choosing);
  return { localizer: model, callsAtOnce, meter: hosting.meter };
}

/** Rethrows NoAnswer as an error that the user should read. */
async function opened<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work;
  } catch (thrown) {
    if (!(thrown instanceof NoAnswer)) throw thrown;
    throw thrown.reason === "bad-input"
      ? new InputError(thrown.message, { cause: thrown })
      : new IncompleteError(thrown.message, { cause: thrown });
  }
}
