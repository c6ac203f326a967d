import type { DoneRecord, RecordOf } from "../../core/records.js";
import type { UnscoredReason } from "../../core/unscored.js";
import { generatorOf } from "./audit-numbers.js";
import type { CardFlag } from "./conclusion.js";
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
export interface AuditedSet {
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
