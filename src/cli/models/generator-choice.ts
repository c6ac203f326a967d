import { resolve } from "node:path";
import { type PairSource, paintPairs } from "../../benchmarks/preference/build-pairs.js";
import { InputError } from "../../core/errors.js";
import type { ImageGenerator } from "../../core/models.js";
import { unpackedFolder } from "../../files/image-sets/unpacked-folder.js";
import { runPlace } from "../../files/open-store.js";
import { folderGenerator, ImageIndex } from "../../models/folder/folder-generator.js";
import type { ConfiguredModel } from "../configuration/configuration-schema.js";
import { loadLab } from "../lab.js";
import { type Hosting, hostingFor } from "./hosting.js";
import { modelFor } from "./model-for.js";

export interface ChosenGenerator {
  readonly generator: ImageGenerator;
  /** Why it can't draw a sentence; undefined if it can, or if that shows only when it is asked. */
  readonly cannotDraw: (sentence: string) => string | undefined;
  /** How many calls it takes at once, where they go over the network. */
  readonly callsAtOnce?: number;
  /** For a folder of images: which ones it has. */
  readonly index?: ImageIndex;
}

/** The mistakes that the lab's painter can be told to make. */
export const defectChoices = ["none", "demo"] as const;

/**
 * The image generator that `provider:model[@revision]` names, or a name of the configuration's
 * `models`. With `defects` "demo" the lab's painter goes wrong as often as that of `touchstone demo`;
 * lab:painter-a to -e err at rates of their own, a least, and -things-a to -things-e with things' colours,
 * too; lab:painter-slight, -marked and -strong draw
 * people by stereotypes. folder:DIR looks up images made elsewhere.
 *
 * @throws InputError for one that does not exist, makes no images, or has no key.
 */
export async function chooseGenerator(
  text: string,
  {
    defects = "none",
    embed = false,
    allowOutside = false,
    configured = {},
    hosting = hostingFor({ variables: {}, workingDirectory: "." }),
  }: {
    readonly defects?: (typeof defectChoices)[number];
    /** Whether a run keeps copies of a folder's images. */
    readonly embed?: boolean;
    /** Whether links in a folder of images may lead out of it. */
    readonly allowOutside?: boolean;
    readonly configured?: Readonly<Record<string, ConfiguredModel>> | undefined;
    readonly hosting?: Hosting;
  } = {},
): Promise<ChosenGenerator> {
  if (text.startsWith("lab:")) {
    const painter = (await loadLab()).generator(text.slice(4), { errs: defects === "demo" });
    if (painter !== undefined) return painter;
  }
  const [, folder] = /^folder:(.+)$/.exec(text) ?? [];
  if (folder !== undefined) {
    const { workingDirectory } = hosting;
    const unpacked = await unpackedFolder(folder, { workingDirectory });
    const directory = unpacked ?? resolve(workingDirectory, folder);
    const index = await ImageIndex.open(directory);
    const generator = folderGenerator({ directory, index, name: folder, embed, allowOutside });
    return { generator, cannotDraw: () => undefined, index };
  }
  const recording = /^recorded:(?<run>[^@]+)(@(?<model>.+))?$/.exec(text)?.groups;
  if (recording !== undefined) {
    const { recordedGenerator } = await import("../../models/recorded/recorded.js");
    const { run = "", model } = recording;
    const generator = await recordedGenerator(runPlace(run, hosting), { model });
    return { generator, cannotDraw: () => undefined };
  }
  if (text.startsWith("lab:") || !(text.includes(":") || Object.hasOwn(configured, text))) {
    const own = Object.keys(configured).map((name) => `, ${name}`);
    throw new InputError(
      `Expected lab:painter, or lab:painter-a to -e, -things-a to -things-e, -slight, -marked or -strong, for the generator but received "${text}"`,
      { hint: `Others are named as ${others}${own.join("")}` },
    );
  }
  const hint = `Such as lab:painter, ${others}`;
  const choosing = { flag: "the generator", hint, configured, hosting };
  const { model, callsAtOnce } = await modelFor(text, "ImageGenerator", choosing);
  return {
    generator: model,
    cannotDraw: () => undefined,
    ...(callsAtOnce === undefined ? {} : { callsAtOnce }),
  };
}

const others =
  "openai-images:gpt-image-1, replicate:black-forest-labs/flux-schnell, fal:fal-ai/flux/schnell, bfl:flux-pro-1.1, " +
  "folder:./images, recorded:runs/demo";

/** The steps by which those who paint a source's pairs do so. */
export async function paintedBy({ painters }: PairSource) {
  const names = [...new Set(painters)];
  const chosen = await Promise.all(
    names.map(async (name) => [name, (await chooseGenerator(name)).generator] as const),
  );
  return paintPairs({ painters: new Map(chosen) });
}
