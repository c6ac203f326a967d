import { join, resolve } from "node:path";
import { IncompleteError, InputError } from "../../../core/errors.js";
import { type Hash, keyOf } from "../../../core/keys.js";
import { placed, placedName } from "../../../core/models.js";
import type { Arguments } from "../../../core/options.js";
import type { RecordStore } from "../../../core/record-store.js";
import { stepId } from "../../../core/step.js";
import type { UnscoredReason } from "../../../core/unscored.js";
import { writeFileAtomically } from "../../../files/atomic.js";
import { commandRun } from "../../../files/hidden-runs.js";
import { hasStore, openStore } from "../../../files/open-store.js";
import { exists } from "../../../files/paths.js";
import type { CallMeter } from "../../../models/prices/call-meter.js";
import type { Budget } from "../../../runs/budget.js";
import { quoted } from "../../../tables/format.js";
import { parseMap } from "../../../tables/map.js";
import { type CollectedRun, command, type Invocation } from "../../command-line/command.js";
import { outsideArguments } from "../../command-line/shared-arguments.js";
import { shellWords } from "../../command-line/shell-words.js";
import { loadConfiguration } from "../../configuration/configuration.js";
import {
  type ChosenGenerator,
  chooseGenerator,
  defectChoices,
} from "../../models/generator-choice.js";
import { hostingFor } from "../../models/hosting.js";
import { withOwnModel } from "../../models/own-model.js";
import { collectAndConclude, type PreparedRun } from "../run/collect.js";
import { budgetOf, limitArguments, withoutLimits } from "../run/limits.js";
import { fewMade } from "../score/mostly-unscored.js";
import { ImageList, imageId, type MissingImage } from "./image-list.js";
import { generateIntoRun } from "./into-run.js";
import { fileName, imagesOfPrompts, paintPrompts, readPrompts } from "./paint-prompts.js";

const generateArguments = {
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
    description:
      "the folder of the run (default: runs/benchmark; with PROMPTS: hidden, below .touchstone)",
  },
  model: {
    kind: "text",
    value: "PROVIDER:MODEL",
    default: "lab:painter",
    description:
      "the generator: lab:painter (-a to -e err more and more), python:gen.py:generate, " +
      "diffusers:ORG/NAME, openai-images:gpt-image-1, folder:DIR (images made elsewhere), recorded:RUN, another " +
      "service (touchstone metrics models lists them), or a name of touchstone.config.yaml",
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
} as const satisfies Arguments;

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
    const { run = "runs/benchmark", model, prompts, out, seed, map, embed, wanted } = given;
    const budget = budgetOf(given);
    const { settings, hosting, chosen } = await generatorOf(invocation);
    if (prompts !== undefined) {
      const asked = { chosen, meter: hosting.meter, budget, run: given.run };
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
    const again = { run, samples, wanted: undefined, ...withoutLimits };
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

/**
 * `generate` with a table of prompts: images into a folder that `score` reads. What is there already is not made
 * again, and what was refused for good is not asked again. A run keeps what was made until it stands in the
 * folder's lists.
 *
 * @param options.run the place of a run that is resumed
 * @throws InputError where the folder holds images of another model or seed; its conclusion IncompleteError where a
 *   limit, an interruption or a full disk left images to be made.
 */
async function generateIntoFolder(
  { given, environment, output, words: wordsOf, makes }: Invocation<typeof generateArguments>,
  {
    chosen: { generator, callsAtOnce },
    meter,
    budget,
    run,
  }: {
    readonly chosen: ChosenGenerator;
    readonly meter: CallMeter;
    readonly budget: Budget;
    readonly run?: string | undefined;
  },
): Promise<PreparedRun> {
  const { prompts: source = "", out: folder, samples = 1, seed = 0 } = given;
  const { workingDirectory, signal } = environment;
  const words = wordsOf({ out: undefined, samples, ...withoutLimits });
  if (folder === undefined) {
    throw new InputError(`Expected --out for the prompts of ${source} but it was not given`, {
      hint: `touchstone ${shellWords([...words, "--out", "images"])}`,
    });
  }
  const out = folder;
  const { prompts, repeated } = await readPrompts(source, {
    environment,
    map: parseMap(given.map),
    tell: output.warn,
  });
  if (repeated > 0)
    output.warn(`${repeated} prompts occur more than once in ${source}; each counts once`);
  const directory = resolve(workingDirectory, out);
  const model = placedName(generator.identity);
  const wanted = imagesOfPrompts(prompts, { generator, seed, samples });
  const list = await ImageList.open(directory);
  list.refuseOthers(wanted);
  const ids = wanted.map(imageId);
  const left = new Set(wanted.filter((one) => !list.isSettled(one)));
  const stepOf = (images: typeof wanted) => paintPrompts(images, { generator, directory });
  const painted = stepId(stepOf([]));
  const name = `generate-${keyOf({ out, model, seed }).slice(0, 12)}`;
  const isDone = left.size === 0;
  const own = await commandRun(
    { run, name: isDone ? undefined : name, isPlan: budget.isPlan, isDone },
    environment,
  );
  const stopped = (await hasStore(own.place))
    ? await openStore(own.place, { mayLack: true, anyhow: true })
    : undefined;
  // A file that was changed since is somebody's own: it stays, without a record.
  const recorded = await addImages(stopped, {
    hasFile: async (file, image) =>
      list.has(file) && (await stopped?.blobs.problemOf(image)) === undefined,
  });
  // What the run has a record of is planned too, or it would lose it.
  const planned = wanted.filter((one) => left.has(one) || recorded.has(imageId(one)));
  const others = wanted.length - planned.length;
  if (run !== undefined && others > 0) {
    output.warn(
      `${others} of ${wanted.length} images stand in ${out} but not in ${run}: they are not made again, and get no record. Another --out makes them.`,
    );
  }
  const made = () => wanted.filter((one) => list.made.has(imageId(one))).length;
  const reused = made();
  // A folder whose images have no list yet is known again by it.
  await list.write(ids);
  const goOn = [...words, "--out", out];
  return {
    steps: () => [stepOf(planned)],
    asked: {
      run: own.place,
      command: goOn,
      makes: makes({ ...withoutLimits, run: undefined }),
      seed,
      models: [model],
      budget,
      meter,
      resume: ["touchstone", ...goOn],
      environment,
      output,
    },
    ...(callsAtOnce === undefined ? {} : { callsAtOnce }),
    items: { doing: "Images", told: new Map([[painted, ""]]), total: planned.length },
    conclude,
    close: own.end,
  };

  /** Adds what a run holds to the folder's lists; which of the wanted images it has a record of. */
  async function addImages(
    store: RecordStore | undefined,
    { hasFile }: { readonly hasFile: (file: string, image: Hash) => Promise<boolean> },
  ): Promise<ReadonlySet<string>> {
    const listed = new Map(prompts.map((prompt) => [prompt.text, prompt]));
    const asked = new Map(wanted.map((one) => [imageId(one), one]));
    const found = new Set<string>();
    for await (const record of store?.ofStep(painted) ?? []) {
      if (record.type !== "image") continue;
      const { text, sample: number, seed, model, baseUrl } = record;
      const { id, others } = listed.get(text) ?? {};
      const image = {
        text,
        ...(id === undefined ? {} : { id }),
        sample: number + 1,
        seed,
        model,
        ...(baseUrl === undefined ? {} : { baseUrl }),
      };
      const name = imageId(image);
      const one = asked.get(name);
      const isWanted = one?.seed === seed && placed(one) === placed(image);
      if (record.status === "unscored") {
        if (list.made.has(name)) continue;
        if (isWanted) found.add(name);
        const { reason, retryable, detail } = record;
        list.addMissing({ ...image, reason, retryable, detail });
        continue;
      }
      const file = fileName(image, record.mediaType);
      const { revisedPrompt: revised, width, height, making } = record;
      if (!(await hasFile(file, record.image))) continue;
      if (isWanted) found.add(name);
      list.addMade({
        file_name: file,
        ...image,
        ...(revised === undefined ? {} : { revised_prompt: revised }),
        making: { ...making, size: `${width}x${height}` },
        ...others,
      });
    }
    return found;
  }

  async function conclude({ store, spending, stopped }: CollectedRun): Promise<void> {
    await addImages(store, {
      hasFile: (file, image) => hasImage(join(directory, file), { image, store }),
    });
    await list.write(ids);
    if (stopped !== undefined && budget.over === undefined && !signal.aborted) throw stopped;
    const missing = ids.flatMap((id) => list.missing.get(id) ?? []);
    const unscored: Partial<Record<UnscoredReason, number>> = {};
    for (const { reason } of missing) unscored[reason] = (unscored[reason] ?? 0) + 1;
    const summary = { out, total: wanted.length, made: made(), reused, unscored };
    const shown = own.shown === undefined ? {} : { run: own.shown };
    const result = { ...summary, spent: spending.toJSON() };
    const cost = spending.text === "" ? "" : `; ${spending.text}`;
    output.result(
      [
        `${summary.made} of ${summary.total} images in ${out}${reused > 0 ? `, ${reused} of them from before` : ""}${cost}`,
        ...Object.entries(unscored).map(([reason, count]) => `${count} not made: ${reason}`),
        ...whyNot(missing, out),
      ].join("\n"),
    );
    if (own.shown !== undefined) output.note(`Run: ${own.shown}`);
    output.resultJson({ ...result, ...shown });
    // What stands in the folder's lists is not made again: the next command begins a run of what is left.
    await own.keep(result);
    const notAsked = summary.total - summary.made - missing.length;
    if (signal.aborted || notAsked > 0) {
      const gone = budget.over === undefined ? "their files are gone" : undefined;
      const why = signal.aborted
        ? "it was interrupted"
        : (gone ?? `the limit of ${budget.over} was met`);
      throw new IncompleteError(`${notAsked} of ${summary.total} images were not made: ${why}`, {
        hint: `Go on with it: touchstone ${shellWords(goOn)}`,
      });
    }
    const few = fewMade(
      summary.made,
      unscored,
      missing.some(({ retryable }) => retryable)
        ? `Ask again for what may be made now: touchstone ${shellWords(goOn)}`
        : "They would fail again: change these prompts, or name another --model and --out.",
    );
    if (few !== undefined) throw few;
    output.nextCommand(
      await withOwnModel(["score", out, "--metric", "vqa-score"], environment, {
        lab: generator.identity.provider === "lab" ? "lab:vqa" : undefined,
      }),
    );
  }
}

/** Says why images were not made by the first of them, and where the others' reasons stand. */
function whyNot(missing: readonly MissingImage[], out: string): string[] {
  const [first] = missing;
  return first === undefined
    ? []
    : [`For example ${quoted(first.text)}: ${first.detail}`, `All reasons: ${out}/unscored.jsonl`];
}

/** Whether an image's file is there; one that another machine made is written from the run first. */
async function hasImage(
  path: string,
  { image, store: { blobs } }: { readonly image: Hash; readonly store: RecordStore },
): Promise<boolean> {
  if (await exists(path)) return true;
  if ((await blobs.problemOf(image)) !== undefined) return false;
  await writeFileAtomically(path, await blobs.read(image));
  return true;
}
