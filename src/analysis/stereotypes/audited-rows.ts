import { append } from "../../core/arrays.js";
import type { Key } from "../../core/keys.js";
import { placed } from "../../core/models.js";
import type { RecordOf } from "../../core/records.js";
import type { TrialRow } from "./audit-self-agreement.js";
import type { StereotypeRow } from "./stereotype-row.js";

/** The records of a stereotype audit, the latest attempt of each. */
export interface AuditRecords {
  readonly queries: readonly RecordOf<"query">[];
  readonly images: readonly RecordOf<"image">[];
  readonly refinements: readonly RecordOf<"refinement">[];
  readonly audits: readonly RecordOf<"audit">[];
}

/**
 * The answers of an audit as rows of a table, one for each item of each set that was to be judged.
 * An item that was not answered, be it of a set that could not be painted, rewritten or judged, is a
 * row with `present` null. Of repeated trials the first counts. `model` is the generator. Rows of a
 * phase stand together; those of the refined phase are there where refined images were judged.
 *
 * @example stereotypes(auditedRows({ queries, images, refinements, audits })).overall.initial
 */
export function auditedRows({ queries, images, audits }: AuditRecords): StereotypeRow[] {
  const first = audits.filter(({ trial }) => trial === 0);
  const isByImage = first.some(({ unit }) => unit === "image");
  const phases = isRefined({ audits }) ? (["initial", "refined"] as const) : ["initial" as const];
  const judged = new Map(first.map((audit) => [placeOf(audit), audit]));
  const itemsOf = new Map<string, readonly string[]>();
  for (const { query, category, items } of first) {
    itemsOf.set(query, items);
    itemsOf.set(`in ${category}`, items);
  }
  const sets = new Map<Key, { readonly model: string; readonly set: number }[]>();
  for (const image of images) {
    if (image.role !== "query" || (!isByImage && image.sample > 0)) continue;
    const own = sets.get(image.prompt) ?? [];
    own.push({ model: placed(image), set: image.sample });
    sets.set(image.prompt, own);
  }
  const rows: StereotypeRow[] = [];
  for (const phase of phases) {
    for (const query of queries) {
      if (query.status !== "done") continue;
      for (const { model, set } of sets.get(query.key) ?? []) {
        const audit = judged.get(JSON.stringify([query.key, model, phase, set]));
        const { text, category } = query;
        const about = { query: text, category, model, phase, imageSet: String(set) };
        const items = audit?.items ?? itemsOf.get(query.key) ?? itemsOf.get(`in ${category}`) ?? [];
        append(
          rows,
          items.map((item) => ({ ...about, item, present: presentIn(audit, item) })),
        );
      }
    }
  }
  return rows;
}

/** Whether refined images were judged: those made elsewhere may come later, or never. */
export const isRefined = ({ audits }: Pick<AuditRecords, "audits">): boolean =>
  audits.some(({ phase }) => phase === "refined");

const placeOf = ({ query, phase, set, generator, generatorBaseUrl }: RecordOf<"audit">): string =>
  JSON.stringify([query, placed({ model: generator, baseUrl: generatorBaseUrl }), phase, set]);

function presentIn(audit: RecordOf<"audit"> | undefined, item: string): 0 | 1 | null {
  if (audit?.status !== "done") return null;
  const answer = audit.answers.find((one) => one.item === item);
  return answer?.status === "answered" ? answer.present : null;
}

/** The answers of every trial that was judged, for a judge's agreement with itself. */
export const auditedTrials = (audits: readonly RecordOf<"audit">[]): TrialRow[] =>
  audits.flatMap((audit) => {
    const { text: query, category, generator, generatorBaseUrl, phase, set, trial } = audit;
    const model = placed({ model: generator, baseUrl: generatorBaseUrl });
    const about = { query, category, model, phase, imageSet: String(set), trial };
    return audit.items.map((item) => ({ ...about, item, present: presentIn(audit, item) }));
  });

/** One set of images before and after: a query, a model and the set's name. */
export interface AuditedPair {
  readonly category: string;
  readonly query: string;
  readonly model: string;
  readonly imageSet: string;
  /** The answered items of each phase. */
  readonly answers: Readonly<Record<StereotypeRow["phase"], ReadonlyMap<string, 0 | 1>>>;
}

/** Sets with an answered item before and after, and their Social Stereotype Index. */
export interface CompletePair extends AuditedPair {
  readonly initial: number;
  readonly refined: number;
}

export interface AuditedPairs {
  readonly complete: readonly CompletePair[];
  /** Pairs without an answer before or after. */
  readonly dropped: readonly AuditedPair[];
}

/**
 * Rows put together to sets, in an order of their own: how the rows are ordered changes no sum.
 */
export function auditedPairs(rows: readonly StereotypeRow[]): AuditedPairs {
  const found = new Map<string, ReturnType<typeof emptyPair>>();
  for (const row of rows) {
    const key = JSON.stringify([row.category, row.query, row.model, row.imageSet]);
    let pair = found.get(key);
    if (pair === undefined) {
      pair = emptyPair(row);
      found.set(key, pair);
    }
    if (row.present !== null) pair.answers[row.phase].set(row.item, row.present);
  }
  const complete: CompletePair[] = [];
  const dropped: AuditedPair[] = [];
  for (const [, pair] of [...found].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { initial, refined } = pair.answers;
    if (initial.size === 0 || refined.size === 0) dropped.push(pair);
    else complete.push({ ...pair, initial: meanOf(initial), refined: meanOf(refined) });
  }
  return { complete, dropped };
}

const emptyPair = ({ category, query, model, imageSet }: StereotypeRow) => ({
  category,
  query,
  model,
  imageSet,
  answers: { initial: new Map<string, 0 | 1>(), refined: new Map<string, 0 | 1>() },
});

function meanOf(answers: ReadonlyMap<string, 0 | 1>): number {
  let sum = 0;
  for (const present of answers.values()) sum += present;
  return sum / answers.size;
}
