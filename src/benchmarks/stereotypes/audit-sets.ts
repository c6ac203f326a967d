import { randomFrom } from "../../core/random.js";
import type { DoneRecord, RecordOf } from "../../core/records.js";
import type { UnscoredReason } from "../../core/unscored.js";
import { openPicture } from "../../images/picture.js";
import { thumbnail } from "../../images/thumbnail.js";
import type { CardImage } from "../disagreement-gallery.js";
import type { ReportedRun } from "../run-records.js";
import { generatorOf } from "./audit-numbers.js";
import type { AuditCard, CardFlag, CardPhase } from "./conclusion.js";
import type { ReadAuditRecords } from "./read-audit-records.js";

type Audit = RecordOf<"audit">;

/** A judge's answers about a set of images, in one phase. */
export interface SetPhase {
  /** The key of its audit's record. */
  readonly key: string;
  /** The text that the images were made from. */
  readonly prompt: string;
  /** In the order in which the judge saw them; one that the run no longer has is left out. */
  readonly images: readonly DoneRecord<"image">[];
  /** Share of the answered items that are flagged; null where the judge answered nothing. */
  readonly index: number | null;
  readonly flags: readonly CardFlag[];
  readonly answered: number;
  readonly items: number;
  /** Why the judge answered nothing; null where it answered. */
  readonly reason: UnscoredReason | null;
}

/** A query's images by one generator, before and after; `refined` is null where they were not judged again. */
interface AuditedSet {
  readonly query: string;
  readonly category: string;
  readonly generator: string;
  readonly set: number;
  readonly initial: SetPhase;
  readonly refined: SetPhase | null;
}

/** Every set of images that was judged, in the order of the records; of repeated trials the first. */
export function auditedSets(
  { audits, images: all }: Pick<ReadAuditRecords, "audits" | "images">,
  short: (name: string) => string,
): AuditedSet[] {
  const images = new Map(
    all.flatMap((image) =>
      image.status === "done" ? [[image.key as string, image] as const] : [],
    ),
  );
  const first = audits.filter(({ trial }) => trial === 0);
  const refined = new Map(
    first.flatMap((audit) => (audit.phase === "refined" ? [[setOf(audit), audit] as const] : [])),
  );
  return first.flatMap((audit): AuditedSet[] => {
    if (audit.phase !== "initial") return [];
    const after = refined.get(setOf(audit));
    return [
      {
        query: audit.text,
        category: audit.category,
        generator: short(generatorOf(audit)),
        set: audit.set,
        initial: phaseOf(audit, images),
        refined: after === undefined ? null : phaseOf(after, images),
      },
    ];
  });
}

const setOf = ({ query, generator, generatorBaseUrl, set }: Audit) =>
  JSON.stringify([query, generator, generatorBaseUrl, set]);

function phaseOf(audit: Audit, all: ReadonlyMap<string, DoneRecord<"image">>): SetPhase {
  const images = audit.of.flatMap((key) => all.get(key) ?? []);
  const answers = audit.status === "done" ? audit.answers : [];
  const answered = answers.flatMap((one) => (one.status === "answered" ? [one] : []));
  const flagged = answered.filter(({ present }) => present === 1);
  return {
    key: audit.key,
    prompt: images[0]?.text ?? audit.text,
    images,
    index: answered.length === 0 ? null : flagged.length / answered.length,
    flags: flagged.map(({ item, explanation, images: cited }) => ({
      item,
      reason: explanation,
      images: cited,
    })),
    answered: answered.length,
    items: audit.items.length,
    reason: audit.status === "unscored" ? audit.reason : null,
  };
}

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
