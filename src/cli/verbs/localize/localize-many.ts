import { basename, extname, join, resolve } from "node:path";
import { append } from "../../../core/arrays.js";
import { IncompleteError, InputError } from "../../../core/errors.js";
import { type Hash, keyOf } from "../../../core/keys.js";
import { type Localizer, modelName, placedName } from "../../../core/models.js";
import type { Arguments } from "../../../core/options.js";
import type { RecordOf } from "../../../core/records.js";
import { stepId } from "../../../core/step.js";
import { commandRun } from "../../../files/hidden-runs.js";
import { refuseTexts } from "../../../files/image-folder.js";
import { unpackedFolder } from "../../../files/image-sets/unpacked-folder.js";
import { freeName, makeFolder } from "../../../files/make-folder.js";
import { exists } from "../../../files/paths.js";
import { type Holder, holdFolder } from "../../../files/sole-process.js";
import { cocoMaskSchema, maskOfCoco } from "../../../images/coco-mask.js";
import { KnownFiles } from "../../../images/known-files.js";
import { localizationStrategies } from "../../../images/localize.js";
import type { CallMeter } from "../../../models/prices/call-meter.js";
import type { Budget } from "../../../runs/budget.js";
import { pluralText } from "../../../views/number-text.js";
import type { CollectedRun, Invocation } from "../../command-line/command.js";
import { textsArgument } from "../../command-line/shared-arguments.js";
import { shellWords } from "../../command-line/shell-words.js";
import type { PreparedRun } from "../run/collect.js";
import { limitArguments, withoutLimits } from "../run/limits.js";
import { lookAtImages } from "../score/given-items.js";
import { ItemList } from "../score/item-list.js";
import { takeImages } from "../score/item-steps.js";
import {
  entitiesWanted,
  entityId,
  findEntities,
  type WantedEntity,
  writeSeen,
} from "./find-entities.js";
import { earlierName, keptRows, type MaskRow, writeRows } from "./mask-rows.js";

const mostListed = 20;

interface Localizing {
  readonly localizer: Localizer;
  readonly callsAtOnce: number;
  readonly meter: CallMeter;
  readonly budget: Budget;
  readonly run?: string | undefined;
  readonly performsParts?: boolean;
}

/**
 * Finds entities in many images and writes a folder that `masks:DIR` reads: masks.jsonl with a row for
 * each image and entity, and what a metric sees of each as an image file. Rows of the same model that are
 * there stay, whatever is looked for now, and so do rows without a model, which somebody added; other rows go
 * on in earlier.jsonl, and come back when their model is asked again or their image is back.
 *
 * @param options.run the place of a run that is resumed
 * @throws InputError where another process writes the folder
 */
export async function localizeMany(
  invocation: Invocation<typeof localizeArguments>,
  options: Localizing,
): Promise<PreparedRun> {
  const { given, environment, output } = invocation;
  const { workingDirectory } = environment;
  const { image: source, out, texts, entity: entities } = given;
  const unpacked = await unpackedFolder(source, { workingDirectory, tell: output.note });
  if (unpacked !== undefined) refuseTexts(texts, source);
  const folder = resolve(workingDirectory, out);
  const found = await entitiesWanted(unpacked ?? resolve(workingDirectory, source), {
    entities,
    texts,
    out: folder,
    skipsBad: given["skip-bad"],
    tell: output.note,
  });
  await makeFolder(folder);
  // Each would write its rows over the other's, and name files as the other does.
  const held = options.performsParts
    ? undefined
    : await holdFolder(join(folder, "writing"), (holder) => heldMasks(out, holder));
  const leave = async () => held?.leave();
  return prepare(invocation, { ...options, ...found, folder, leave }).catch(
    async (error: unknown) => {
      await leave();
      throw error;
    },
  );
}

const heldMasks = (out: string, { process, host, isHere, path }: Holder): InputError =>
  new InputError(
    `Expected to write ${out} alone but process ${process} of ${host} writes masks there`,
    {
      hint: isHere
        ? "Wait for it, or name another folder by --out."
        : `Wait for it, or name another folder by --out. If it no longer exists, remove ${path}`,
    },
  );

async function prepare(
  { given, environment, output, words, makes }: Invocation<typeof localizeArguments>,
  {
    localizer,
    callsAtOnce,
    meter,
    budget,
    run,
    wanted,
    skipped,
    folder,
    leave,
  }: Localizing &
    Awaited<ReturnType<typeof entitiesWanted>> & {
      readonly folder: string;
      readonly leave: () => Promise<void>;
    },
): Promise<PreparedRun> {
  const { signal } = environment;
  const { strategy, out } = given;
  const model = modelName(localizer.identity);
  const { rows: before, seen: taken } = await keptRows(folder, model);
  const left = wanted
    .filter((one) => !before.has(entityId(one)))
    .map((one) => ({ ...one, seen: freeName(taken, seenStem(one), ".png") }));
  const name = `localize-${keyOf({ out, strategy, model: placedName(localizer.identity) }).slice(0, 12)}`;
  const isDone = left.length === 0;
  const own = await commandRun(
    { run, name: isDone ? undefined : name, isPlan: budget.isPlan, isDone },
    environment,
  );
  const listed = left.map(({ name, path }) => ({ image: name, path, text: "", others: {} }));
  const known = new KnownFiles(undefined);
  const items = await ItemList.of(listed);
  const removeOwn = async () => {
    await items.remove();
    await own.end();
  };
  await lookAtImages(items, { known, decodes: false, environment, output }).catch(async (error) => {
    await removeOwn();
    throw error;
  });
  const sought = left.flatMap((one, at) => {
    const image = items.looked(at).hash;
    return image === undefined ? [] : [{ ...one, image, file: one.image }];
  });
  const directory = join(folder, "seen");
  const step = findEntities(sought, { localizer, strategy, directory });
  const command = words(withoutLimits);
  return {
    steps: () => [takeImages(items, { copies: false, known }), step],
    asked: {
      run: own.place,
      command,
      makes: makes(withoutLimits),
      seed: 0,
      models: [placedName(localizer.identity)],
      budget,
      meter,
      known,
      resume: ["touchstone", ...command],
      environment,
      output,
    },
    callsAtOnce,
    items: {
      doing: "Localizing",
      told: new Map([[stepId(step), ""]]),
      total: left.length,
      cancels: true,
    },
    conclude,
    async close() {
      await removeOwn();
      await leave();
    },
  };

  /** Draws what a metric sees where another machine found the mask. */
  async function restoreSeen(
    path: string,
    { image, mask: coco }: Pick<MaskRow, "mask"> & { readonly image: Hash },
  ): Promise<void> {
    const { data: parsed } = cocoMaskSchema.safeParse(coco);
    if (parsed === undefined) return;
    const picture = (await exists(path)) ? undefined : await known.picture(image);
    const mask = picture && maskOfCoco(parsed, picture);
    if (picture === undefined || typeof mask !== "object") return;
    await writeSeen([path], { picture, mask, strategy });
  }

  async function conclude({ store, stopped }: CollectedRun): Promise<void> {
    const found = new Map<string, Pick<MaskRow, "mask" | "inside"> | { problem: string }>();
    for await (const record of store.ofStep(stepId(step))) {
      if (record.type !== "mask") continue;
      found.set(`${record.image} ${record.entity}`, foundBy(record));
    }
    const problems = left.flatMap(({ name, entity }, at) => {
      const problem = items.looked(at).problem;
      return problem === undefined ? [] : [`${name}, ${entity}: ${problem}`];
    });
    // Somebody may have added rows meanwhile.
    const { rows, byHand, others, unread } = await keptRows(folder, model);
    for (const { image, file, entity, name, seen } of sought) {
      const one = found.get(`${image} ${entity}`);
      if (one === undefined) continue;
      if ("problem" in one) problems.push(`${name}, ${entity}: ${one.problem}`);
      else {
        await restoreSeen(join(directory, seen), { image, ...one });
        const shown = one.mask === null ? {} : { seen: `seen/${seen}` };
        rows.set(entityId({ image: file, entity }), {
          image: file,
          entity,
          model,
          ...one,
          ...shown,
        });
      }
    }
    const inOrder = wanted.flatMap((one) => rows.get(entityId(one)) ?? []);
    const beside: MaskRow[] = [];
    for (const one of wanted) rows.delete(entityId(one));
    for (const row of rows.values()) {
      // A metric that is given the table opens all its images.
      if (await exists(join(folder, row.image))) beside.push(row);
      else others.add(JSON.stringify(row));
    }
    const lines = [...beside, ...inOrder].map((row) => JSON.stringify(row));
    // Of two masks of an entity a metric is given the later.
    await writeRows(folder, [...lines, ...byHand], [...others, ...unread]);
    if (others.size > 0) {
      output.note(
        `${pluralText(others.size, "row")} of other models or of images that are gone: ${join(out, earlierName)}`,
      );
    }
    if (unread.size > 0) {
      output.note(
        `${pluralText(unread.size, "line")} cut short, or otherwise no row: ${join(out, earlierName)}. Mend or remove what is there.`,
      );
    }
    if (stopped !== undefined && budget.over === undefined && !signal.aborted) throw stopped;
    const masks = inOrder.filter(({ seen }) => seen !== undefined).length;
    const nowhere = inOrder.length - masks;
    const missing = wanted.length - inOrder.length - problems.length;
    append(problems, skipped);
    const shown = own.shown === undefined ? {} : { run: own.shown };
    const result = { out, found: masks, nowhere, problems, left: missing };
    output.result(
      `${pluralText(masks, "mask")} found, ${nowhere} nowhere, ${problems.length} without an answer; in ${out}`,
    );
    if (own.shown !== undefined) output.note(`Run: ${own.shown}`);
    output.resultJson({ ...result, ...shown });
    await own.keep(result);
    if (stopped !== undefined && problems.length === 0) throw stopped;
    if (missing > 0 || problems.length > 0) {
      throw new IncompleteError(
        `Expected an answer for every image and entity but received none for ${missing + problems.length}`,
        {
          hint: [
            ...problems.slice(0, mostListed).map((problem) => `  - ${problem}`),
            problems.length === 0
              ? "Finished ones are kept."
              : "Finished ones are kept: correct or remove what can't be read.",
            `Go on with: ${shellWords(["touchstone", ...command])}`,
          ].join("\n"),
        },
      );
    }
    output.note(`Masks for a metric: --model masks:${out}`);
  }
}

const seenStem = ({ image, entity }: WantedEntity) =>
  `${basename(image, extname(image))}-${entity.replaceAll(/[^\p{L}\p{N}]+/gu, "-")}`;

function foundBy(record: RecordOf<"mask">) {
  if (record.status === "unscored") return { problem: record.detail };
  const { mask, inside } = record;
  return mask === null ? { mask } : { mask, inside };
}

export const localizeArguments = {
  image: {
    kind: "positional",
    description:
      "the image file; or a folder of images, a table, WebDataset shards (.tar) or Parquet with images, " +
      "for many at once",
  },
  mask: { kind: "text", value: "FILE", description: "the mask as an image file, light inside" },
  entity: {
    kind: "text",
    repeated: true,
    value: "NAME",
    description:
      "the entity to find, with --model; of many images what to find in each, by default what the " +
      "column entities or the text of its row names",
  },
  model: {
    kind: "text",
    value: "PROVIDER:MODEL",
    description: "the model that finds --entity, in place of --mask",
  },
  strategy: {
    kind: "choice",
    choices: localizationStrategies,
    default: "blurring+cropping",
    value: "STRATEGY",
    description: "how the image is changed",
  },
  out: {
    kind: "text",
    value: "FILE",
    required: true,
    description:
      "the file to write (.png); of many images the folder, whose masks.jsonl --model masks:DIR reads",
  },
  ...textsArgument,
  "skip-bad": {
    kind: "switch",
    description: "of many images: list rows that name no entity to find, and go on with the others",
  },
  overlay: {
    kind: "text",
    value: "FILE",
    description: "also write the image with the mask and its box drawn on it (.png)",
  },
  ...limitArguments,
} as const satisfies Arguments;
