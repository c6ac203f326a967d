import type { JsonObject } from "./json.js";
import { type Placed, placed } from "./models.js";

/** Who answered, by servers' own word; both empty for a model that answered under its own name. */
export interface Answerer {
  /** Models that answered in place of the one asked. */
  readonly answeredBy: readonly string[];
  /** Names of the state in which the one asked answered. */
  readonly snapshots: readonly string[];
}

/** Gathers who answered from trace entries. */
export class Answerers {
  readonly #answeredBy = new Set<string>();
  readonly #snapshots = new Set<string>();

  readonly note = ({ answeredBy, snapshot }: JsonObject): void => {
    if (typeof answeredBy === "string") this.#answeredBy.add(answeredBy);
    if (typeof snapshot === "string") this.#snapshots.add(snapshot);
  };

  /** In order of name: replies come in any. */
  get found(): Answerer {
    return { answeredBy: [...this.#answeredBy].sort(), snapshots: [...this.#snapshots].sort() };
  }
}

type Answered = Placed & { readonly [Member in keyof Answerer]?: Answerer[Member] | undefined };

/** Names who answered; empty for a model that answered under its own name. */
export const answererOf = ({ answeredBy = [], snapshots = [] }: Omit<Answered, "model">): string =>
  [...answeredBy, ...snapshots].join(", ");

/**
 * Records in which a model counts once for each that answered in its place, and for each of its snapshots, where
 * that changes among them: `openai-compatible:tiny (answered by other)`.
 */
export function toldApart<Of extends Answered>(records: readonly Of[]): readonly Of[] {
  const answerers = new Map<string, Set<string>>();
  for (const record of records) {
    const names = answerers.get(placed(record)) ?? new Set();
    answerers.set(placed(record), names.add(answererOf(record)));
  }
  if ([...answerers.values()].every(({ size }) => size === 1)) return records;
  return records.map((record) =>
    answerers.get(placed(record))?.size === 1 || answererOf(record) === ""
      ? record
      : { ...record, model: `${record.model} (answered by ${answererOf(record)})` },
  );
}

/** Counts answers by who gave them. */
export class AnswererCounts {
  #all = 0;
  readonly #byOthers = new Map<string, number>();
  readonly #bySnapshots = new Map<string, Map<string, number>>();

  note(record: Answered): void {
    const { answeredBy = [], snapshots = [] } = record;
    this.#all++;
    for (const name of answeredBy) count(this.#byOthers, name);
    const counts = this.#bySnapshots.get(placed(record)) ?? new Map<string, number>();
    this.#bySnapshots.set(placed(record), counts);
    for (const name of snapshots) count(counts, name);
  }

  /** A sentence on answers of other models than those asked; `undefined` where there are none. */
  get othersText(): string | undefined {
    const counts = this.#byOthers;
    if (counts.size === 0) return undefined;
    const each = [...counts].map(([name, many]) => `${many} of ${this.#all} by ${name}`);
    const changes = counts.size > 1 || [...counts.values()].some((many) => many < this.#all);
    return `The server names another model than was asked: ${each.join(", ")}${changes ? mixed : ""}`;
  }

  /** Sentences on models whose snapshot changed. */
  get changeTexts(): string[] {
    return [...this.#bySnapshots].flatMap(([model, counts]) => {
      const each = [...counts].map(([name, many]) => `${many} as ${name}`);
      return each.length < 2 ? [] : [`${model} changed: ${each.join(", ")}${mixed}`];
    });
  }
}

const mixed = "; scores of one model and of another are no sample of one";

const count = (counts: Map<string, number>, name: string) =>
  counts.set(name, (counts.get(name) ?? 0) + 1);
