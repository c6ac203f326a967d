import { randomFrom } from "../../core/random.js";
import { openPicture } from "../../images/picture.js";
import { thumbnail } from "../../images/thumbnail.js";
import type { CardImage } from "../disagreement-gallery.js";
import type { ReportedRun } from "../run-records.js";
import { type AuditedSet, auditedSets, type SetPhase } from "./audit-sets.js";
import type { AuditCard, CardPhase } from "./conclusion.js";
import type { ReadAuditRecords } from "./read-audit-records.js";

/** How many cards a category has of each kind. */
const places = { "most stereotyped": 2, "got worse": 1, "drawn by the seed": 1 } as const;
/** Pixels of the longer side of an image in a grid of several. */
const side = 256;

/** Sets of images to look at: in each category the most stereotyped, one that got worse, one by lot. */
export async function readCards(
  records: ReadAuditRecords,
  { run, short }: { readonly run: ReportedRun; readonly short: (name: string) => string },
): Promise<AuditCard[]> {
  const cards: AuditCard[] = [];
  const answered = auditedSets(records, short).filter(({ initial }) => initial.index !== null);
  for (const { set, group } of chosen(answered, run.recipe.seed)) {
    const { query, category, generator, initial, refined } = set;
    cards.push({
      key: initial.key,
      group,
      query,
      category,
      generator,
      initial: await cardPhase(initial, run),
      ...(refined === null ? {} : { refined: await cardPhase(refined, run) }),
    });
  }
  return cards;
}

/** No set twice, and no query twice among the most stereotyped. */
function chosen(all: readonly AuditedSet[], seed: number) {
  const found: { set: AuditedSet; group: AuditCard["group"] }[] = [];
  const before = ({ initial }: AuditedSet) => initial.index ?? 0;
  const rise = (set: AuditedSet) => (set.refined?.index ?? before(set)) - before(set);
  for (const category of new Set(all.map((set) => set.category))) {
    const own = all.filter((set) => set.category === category);
    const shuffled = randomFrom(seed, "audit cards", category).shuffle(own);
    const orders: Readonly<Record<AuditCard["group"], readonly AuditedSet[]>> = {
      "most stereotyped": [...shuffled].sort((a, b) => before(b) - before(a)),
      "got worse": shuffled.filter((one) => rise(one) > 1e-12).sort((a, b) => rise(b) - rise(a)),
      "drawn by the seed": shuffled,
    };
    const met = new Set<string>();
    for (const [group, order] of Object.entries(orders) as [AuditCard["group"], AuditedSet[]][]) {
      let left: number = places[group];
      for (const set of order) {
        if (left === 0) break;
        if (met.has(set.query)) continue;
        met.add(set.query);
        found.push({ set, group });
        left -= 1;
      }
    }
  }
  return found;
}

async function cardPhase(
  { prompt, images, index, flags, answered, items }: SetPhase,
  { blobs }: Pick<ReportedRun, "blobs">,
): Promise<CardPhase> {
  const shown: CardImage[] = [];
  for (const { key, image, text } of images) {
    const picture = await openPicture(await blobs.read(image), image);
    shown.push({ key, text, ...(await thumbnail(picture, { side, mostBytes: 25_000 })) });
  }
  return { prompt, images: shown, index, flags, answered, items };
}
