import { dirname, resolve } from "node:path";
import { append } from "../core/arrays.js";
import { InputError } from "../core/errors.js";
import type { StudyConfig } from "./config/read-study-config.js";
import { type BlockSettings, blockNames } from "./config/study-config.js";
import { drawnItems, frozenItem, idOf, type KeepImage } from "./items/freeze-items.js";
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
