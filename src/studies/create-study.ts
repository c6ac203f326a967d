import { dirname, resolve } from "node:path";
import { append, groupBy } from "../core/arrays.js";
import { InputError } from "../core/errors.js";
import type { Json, JsonObject } from "../core/json.js";
import { type Hash, hashOf } from "../core/keys.js";
import type { Mask, Pixels } from "../core/models.js";
import { randomFrom } from "../core/random.js";
import { NoAnswer } from "../core/unscored.js";
import { boxOfMask } from "../images/box.js";
import { localize } from "../images/localize.js";
import { readMask } from "../images/mask-file.js";
import { openPictureFile } from "../images/picture-file.js";
import { encodeWebp } from "../images/thumbnail.js";
import type { StudyConfig } from "./config/read-study-config.js";
import { type BlockSettings, blockNames } from "./config/study-config.js";
import { type ReadItems, readItems } from "./items/read-items.js";
import { type KnownDraft, readKnownItems } from "./items/read-table-items.js";
import { besideText, type ItemDraft } from "./protocols/protocol.js";
import { protocolOf } from "./protocols/protocols.js";
import type { Study, StudyBlock, StudyItem } from "./study.js";

export interface CreateStudyOptions {
  /** Stores an image as it will be shown. */
  readonly keep: KeepImage;
  /** Called with a sentence on how texts were found, and on names that are alike. */
  readonly tell?: (note: string) => void;
  /** Told how many of all items are frozen. */
  readonly onItem?: (progress: { readonly done: number; readonly total: number }) => void;
}

/** Items with known answers before their images are read. */
interface KnownTable {
  readonly drafts: readonly KnownDraft[];
  /** Their table's folder. */
  readonly folder: string;
}

/** Items of one block before their images are read. */
interface BlockDraft extends ReadItems {
  readonly settings: BlockSettings;
  readonly gold: KnownTable;
  readonly practice: KnownTable;
}

/**
 * Reads all that a configuration names and freezes it: items, images, texts. Nothing of what is wrong
 * is left to the day of the study.
 *
 * @throws InputError that lists what can't be served: an image that is missing, a known answer that is
 *   none, more ratings than people can give.
 */
export async function createStudy(
  config: StudyConfig,
  { keep, onItem = () => {}, tell }: CreateStudyOptions,
): Promise<Study> {
  const { settings, folder, file } = config;
  const drafts: BlockDraft[] = [];
  for (const block of settings.blocks) {
    drafts.push(await draftOf(block, { folder, seed: settings.seed, tell }));
  }
  const problems = drafts.flatMap((draft, at) => tooManyRatings(config, { draft, at }));
  const total = drafts.reduce(
    (sum, { items, gold, practice }) =>
      sum + items.length + gold.drafts.length + practice.drafts.length,
    0,
  );
  let done = 0;
  const blocks: StudyBlock[] = [];
  const isLossless = settings.imageQuality === "lossless";
  const names = blockNames(settings.blocks);
  for (const [at, draft] of drafts.entries()) {
    const freeze = async (item: ItemDraft, from: string): Promise<StudyItem[]> => {
      const frozen = await frozenItem(item, {
        settings: draft.settings,
        folder: from,
        isLossless,
        keep,
        report: (problem) => problems.push(problem),
      });
      onItem({ done: ++done, total });
      return frozen === undefined ? [] : [frozen];
    };
    const items: StudyItem[] = [];
    for (const item of draft.items) append(items, await freeze(item, draft.folder));
    const ids = new Set(draft.items.map(({ id }) => id));
    const knownItems = async (word: string, table: KnownTable): Promise<StudyItem[]> => {
      const all: StudyItem[] = [];
      for (const { draft: item, value, feedback, place } of table.drafts) {
        const known = protocolOf(draft.settings.protocol).known(value, draft.settings);
        if (known === undefined) {
          problems.push(`${word} ${item.id}: "${value}" is no answer to it (${place})`);
        }
        if (ids.has(item.id)) {
          problems.push(`${word} ${item.id}: an item has the same id (${place})`);
        }
        for (const frozen of await freeze(item, table.folder)) {
          all.push({ ...frozen, known, feedback });
        }
      }
      for (const { draft: item } of table.drafts) ids.add(item.id);
      return all;
    };
    const gold = await knownItems("gold", draft.gold);
    const practice = await knownItems("practice", draft.practice);
    const name = names[at] ?? "";
    const { settings: own, filter } = draft;
    // A block without practice items is frozen as those were that knew of none.
    const first = practice.length === 0 ? undefined : practice;
    const judge = judgeOf(draft);
    blocks.push({ name, settings: own, items, gold, practice: first, filter, judge });
  }
  if (problems.length > 0) {
    throw new InputError(`Expected a study that can be served in ${file}`, { problems });
  }
  const { consent, debrief, codebook } = config;
  const frozen = { settings, consent, debrief, codebook, blocks };
  // What is frozen is JSON: it is written as such.
  return { id: idOf(JSON.parse(JSON.stringify(frozen))), ...frozen };
}

async function draftOf(
  settings: BlockSettings,
  {
    folder,
    seed,
    tell,
  }: {
    readonly folder: string;
    readonly seed: number;
    readonly tell: CreateStudyOptions["tell"];
  },
): Promise<BlockDraft> {
  const protocol = protocolOf(settings.protocol);
  const read = await readItems(settings.from, { folder, protocol, settings, tell });
  const knownIn = async (name: string | undefined, hasFeedback: boolean): Promise<KnownTable> => {
    if (name === undefined) return { drafts: [], folder };
    const path = resolve(folder, name);
    const request = { protocol, settings, hasFeedback, tell };
    return { drafts: await readKnownItems({ path, name }, request), folder: dirname(path) };
  };
  const gold = await knownIn(settings.gold, false);
  const practice = await knownIn(settings.practice, true);
  const { sample } = settings;
  const items = sample === undefined ? read.items : drawnItems(read.items, { sample, seed });
  return { ...read, settings, items, gold, practice };
}

/** The judge that a queue names, as seen from the queue. */
function judgeOf({ items, folder }: BlockDraft): string | undefined {
  const named = items.map((item) => besideText(item, "judge")).find(Boolean);
  return named?.endsWith(".json") ? resolve(folder, named) : undefined;
}

/** More ratings than people can give are never collected. */
function tooManyRatings(
  { settings, lineOf }: StudyConfig,
  { draft, at }: { readonly draft: BlockDraft; readonly at: number },
): string[] {
  const { participants } = settings;
  if (participants === undefined) return [];
  const { ratingsPerItem, itemsPerParticipant } = draft.settings;
  const each = Math.min(itemsPerParticipant ?? draft.items.length, draft.items.length);
  const wanted = draft.items.length * ratingsPerItem;
  if (wanted <= participants * each) return [];
  return [
    `${lineOf(["blocks", at])}: ${draft.items.length} items x ${ratingsPerItem} ratings are ` +
      `${wanted}, but ${participants} people with ${each} items each give ${participants * each}`,
  ];
}

/** Takes an image as it will be shown. */
type KeepImage = (bytes: Uint8Array) => Promise<Hash>;

interface FreezeOptions {
  readonly settings: BlockSettings;
  /** The folder that the items' paths are relative to. */
  readonly folder: string;
  readonly isLossless: boolean;
  readonly keep: KeepImage;
  /** Called with each problem of an item. */
  readonly report: (problem: string) => void;
}

/**
 * Encodes an item's images anew, without their names, metadata and format, so that nothing in the browser
 * says which model made them. An image that can't be read is reported.
 */
async function frozenItem(
  draft: ItemDraft,
  { settings, folder, isLossless, keep, report }: FreezeOptions,
): Promise<StudyItem | undefined> {
  const images: Hash[] = [];
  let box: readonly number[] | undefined;
  for (const path of draft.images) {
    try {
      const shown = await shownImage(resolve(folder, path), { draft, settings, folder });
      images.push(await keep(await encodeWebp(shown.pixels, { isLossless })));
      box ??= shown.box;
    } catch (error) {
      if (!(error instanceof NoAnswer) && !(error instanceof InputError)) throw error;
      const place = draft.placeOf?.(path);
      report(`${draft.id}: ${error.message}${place === undefined ? "" : ` (${place})`}`);
    }
  }
  if (images.length < draft.images.length) return undefined;
  const { mask: _, ...content } = draft.content;
  return {
    id: draft.id,
    images,
    sources: draft.images.map((path) => resolve(folder, path)),
    content: box === undefined ? content : { ...content, box },
    beside: draft.beside,
  };
}

/**
 * The image as a person sees it: whole, with a box around the entity where its mask is known, or of the
 * entity alone, as a localised metric sees it.
 */
async function shownImage(
  path: string,
  {
    draft: { content, find },
    settings: { view },
    folder,
  }: { readonly draft: ItemDraft; readonly settings: BlockSettings; readonly folder: string },
): Promise<{ readonly pixels: Pixels; readonly box?: readonly number[] | undefined }> {
  const picture = await openPictureFile(path);
  const pixels = await picture.pixels();
  if (view === "whole" || (view === "box" && Array.isArray(content.box))) return { pixels };
  const mask = (await find?.()) ?? (await maskIn(content.mask, folder));
  if (mask === undefined) return { pixels };
  if (view === "localized") {
    return { pixels: localize(pixels, { mask, strategy: "blurring+cropping" }) };
  }
  const box = boxOfMask(mask);
  return { pixels, box: box && [box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0] };
}

async function maskIn(file: Json | undefined, folder: string): Promise<Mask | undefined> {
  if (typeof file !== "string") return undefined;
  const path = resolve(folder, file);
  return (await readMask(await openPictureFile(path), path)).mask;
}

/** Returns an id made of the frozen content, so that answers can't be taken for another study's. */
const idOf = (frozen: JsonObject): string =>
  hashOf(new TextEncoder().encode(JSON.stringify(frozen))).slice(0, 12);

/**
 * Draws items by the study's seed, spread evenly over domains (without domains: over category, model and
 * phase). The images of a pair, the questions about one image, and several models' images of one prompt
 * are drawn together.
 * @param options.sample the most items to draw; groups are drawn whole, so a few may be missing
 */
function drawnItems(
  items: readonly ItemDraft[],
  { sample, seed }: { readonly sample: number; readonly seed: number },
): readonly ItemDraft[] {
  const units = groupBy(unitsOf(items), ({ name }) => name);
  const strata = groupBy([...units.values()], ([first]) => JSON.stringify(stratum(first)));
  const random = randomFrom(seed, "study-sample");
  // Each prompt's second image comes after the first images of all prompts.
  const inOrder = (own: readonly (readonly Unit[])[]) =>
    random.shuffle(own).sort(([one], [other]) => (one?.turn ?? 0) - (other?.turn ?? 0));
  const left = random.shuffle([...strata.values()].map(inOrder));
  const drawn = new Set<ItemDraft>();
  for (let round = 0; left.some((own) => round < own.length); round++) {
    for (const own of left) {
      const unit = own[round] ?? [];
      if (drawn.size + unit.length <= sample) for (const { item } of unit) drawn.add(item);
    }
  }
  return items.filter((item) => drawn.has(item));
}

/** An item with the name of its group. */
interface Unit {
  readonly item: ItemDraft;
  readonly name: string;
  /** Its place among its model's images of its prompt, from 0, where models are drawn together. */
  readonly turn?: number;
}

function unitsOf(items: readonly ItemDraft[]): readonly Unit[] {
  const models = new Set(items.flatMap((item) => modelOf(item) ?? []));
  const turns = new Map<string, number>();
  return items.map((item) => {
    const { beside, content, images } = item;
    const model = modelOf(item);
    if (model === undefined || models.size < 2) {
      return { item, name: JSON.stringify(beside.pair ?? images) };
    }
    const prompt = beside.prompt ?? content.text ?? null;
    const own = JSON.stringify([model, prompt]);
    const turn = turns.get(own) ?? 0;
    turns.set(own, turn + 1);
    return { item, name: JSON.stringify([prompt, turn]), turn };
  });
}

/** The model of a single image with a text; undefined for pairs. */
const modelOf = ({ beside: { model, pair }, content }: ItemDraft): string | undefined =>
  typeof model === "string" && pair === undefined && typeof content.text === "string"
    ? model
    : undefined;

const stratum = ({ item: { beside }, turn }: Unit) => {
  const { domain, category, model, phase } = beside;
  const apart = turn === undefined ? [category, model, phase] : [category, phase];
  return domain ?? apart.map((word) => word ?? null);
};
