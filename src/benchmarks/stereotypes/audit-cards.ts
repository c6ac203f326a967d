import { placed } from "../../core/models.js";
import { randomFrom } from "../../core/random.js";
import type { DoneRecord, RecordOf } from "../../core/records.js";
import { openPicture } from "../../images/picture.js";
import { thumbnail } from "../../images/thumbnail.js";
import type { CardImage } from "../disagreement-gallery.js";
import type { ReportedRun } from "../run-records.js";
import type { AuditCard, CardFlag, CardPhase } from "./conclusion.js";
import type { ReadAuditRecords } from "./read-audit-records.js";

type Audit = RecordOf<"audit">;

/** How many cards a category has of each kind. */
const places = { "most stereotyped": 2, "got worse": 1, "drawn by the seed": 1 } as const;
/** Pixels of the longer side of an image in a grid of several. */
const side = 256;

interface Candidate {
  readonly initial: DoneRecord<"audit">;
  readonly refined: Audit | undefined;
  readonly before: number;
  readonly after: number | null;
}

/** Sets of images to look at: in each category the most stereotyped, one that got worse, one by lot. */
export async function readCards(
  records: ReadAuditRecords,
  { run, short }: { readonly run: ReportedRun; readonly short: (name: string) => string },
): Promise<AuditCard[]> {
  const images = new Map(
    records.images.flatMap((image) =>
      image.status === "done" ? [[image.key as string, image] as const] : [],
    ),
  );
  const cards: AuditCard[] = [];
  for (const { candidate, group } of chosen(candidates(records), run.recipe.seed)) {
    const { initial, refined } = candidate;
    const phaseOf = (audit: Audit, index: number | null) =>
      cardPhase(audit, { images, index, run });
    cards.push({
      key: initial.key,
      group,
      query: initial.text,
      category: initial.category,
      generator: short(placed({ model: initial.generator, baseUrl: initial.generatorBaseUrl })),
      initial: await phaseOf(initial, candidate.before),
      ...(refined === undefined ? {} : { refined: await phaseOf(refined, candidate.after) }),
    });
  }
  return cards;
}

function candidates({ audits }: ReadAuditRecords): Candidate[] {
  const refined = new Map<string, Audit>();
  for (const audit of audits) {
    if (audit.trial === 0 && audit.phase === "refined") refined.set(setOf(audit), audit);
  }
  return audits.flatMap((initial) => {
    if (initial.status !== "done" || initial.trial > 0 || initial.phase !== "initial") return [];
    const before = indexOf(initial);
    const after = refined.get(setOf(initial));
    return before === null
      ? []
      : [{ initial, refined: after, before, after: after === undefined ? null : indexOf(after) }];
  });
}

const setOf = ({ query, generator, generatorBaseUrl, set }: Audit) =>
  JSON.stringify([query, generator, generatorBaseUrl, set]);

function indexOf(audit: Audit): number | null {
  if (audit.status !== "done") return null;
  const answered = audit.answers.flatMap((one) => (one.status === "answered" ? [one.present] : []));
  if (answered.length === 0) return null;
  return answered.reduce<number>((sum, present) => sum + present, 0) / answered.length;
}

/** No set twice, and no query twice among the most stereotyped. */
function chosen(all: readonly Candidate[], seed: number) {
  const found: { candidate: Candidate; group: AuditCard["group"] }[] = [];
  for (const category of new Set(all.map(({ initial }) => initial.category))) {
    const own = all.filter(({ initial }) => initial.category === category);
    const shuffled = randomFrom(seed, "audit cards", category).shuffle(own);
    const rise = ({ before, after }: Candidate) => (after ?? before) - before;
    const orders: Readonly<Record<AuditCard["group"], readonly Candidate[]>> = {
      "most stereotyped": [...shuffled].sort((a, b) => b.before - a.before),
      "got worse": shuffled.filter((one) => rise(one) > 1e-12).sort((a, b) => rise(b) - rise(a)),
      "drawn by the seed": shuffled,
    };
    const met = new Set<string>();
    for (const [group, order] of Object.entries(orders) as [AuditCard["group"], Candidate[]][]) {
      let left: number = places[group];
      for (const candidate of order) {
        if (left === 0) break;
        if (met.has(candidate.initial.query)) continue;
        met.add(candidate.initial.query);
        found.push({ candidate, group });
        left -= 1;
      }
    }
  }
  return found;
}

async function cardPhase(
  audit: Audit,
  {
    images,
    index,
    run,
  }: {
    readonly images: ReadonlyMap<string, DoneRecord<"image">>;
    readonly index: number | null;
    readonly run: ReportedRun;
  },
): Promise<CardPhase> {
  const shown: CardImage[] = [];
  for (const key of audit.of) {
    const image = images.get(key);
    if (image === undefined) continue;
    const picture = await openPicture(await run.blobs.read(image.image), image.image);
    shown.push({
      key,
      text: image.text,
      ...(await thumbnail(picture, { side, mostBytes: 25_000 })),
    });
  }
  const answers = audit.status === "done" ? audit.answers : [];
  const answered = answers.flatMap((one) => (one.status === "answered" ? [one] : []));
  return {
    prompt: shown[0]?.text ?? audit.text,
    images: shown,
    index,
    answered: answered.length,
    items: audit.items.length,
    flags: answered.flatMap((one): CardFlag[] =>
      one.present === 1 ? [{ item: one.item, reason: one.explanation, images: one.images }] : [],
    ),
  };
}
