import { isTie } from "../analysis/pairs/score-ties.js";
import { metricRanks } from "../analysis/trust-card/disagreement.js";
import { type StepTrace, stepTraces } from "../runs/run-status.js";
import { noNotes, type RunNotes } from "./notes/note-api.js";
import type { RunIndex } from "./run-index.js";
import type { ScoreTable } from "./score-table.js";

const kinds = [
  { kind: "contrastive", first: "correct", second: "adversarial" },
  { kind: "preference", first: "a", second: "b" },
] as const;

/** Metrics were asked about other texts, too, of which no image is ranked. */
const isRanking = ({ against }: ScoreTable) => against === "prompt" || against === "own";

/** How much better the right one did by a metric, by the image's place in the index. */
class Margins {
  readonly #margins: Float64Array;
  readonly #failed: Uint8Array;
  #size = 0;

  constructor(images: number) {
    this.#margins = new Float64Array(images).fill(Number.NaN);
    this.#failed = new Uint8Array(images);
  }

  /** How many images have one. */
  get size(): number {
    return this.#size;
  }

  /** NaN without one, 0 of a tie. */
  margin(image: number): number {
    return this.#margins[image] ?? Number.NaN;
  }

  /** Whether the right one did not do better; undefined without a margin. */
  failed(image: number): boolean | undefined {
    return Number.isNaN(this.margin(image)) ? undefined : this.#failed[image] === 1;
  }

  set(image: number, margin: number, failed: boolean): void {
    this.#margins[image] = margin;
    this.#failed[image] = failed ? 1 : 0;
    this.#size++;
  }
}

/** Results worked out from an index and kept until it has grown. */
export class RunView {
  readonly index: RunIndex;
  /** What people noted, as it was last read. */
  notes: RunNotes = noNotes;
  readonly #ofRecords = new KeptValues();
  readonly #ofImages = new KeptValues();
  #traces:
    | {
        readonly version: number;
        readonly until: number;
        readonly found: Promise<ReadonlyMap<string, StepTrace>>;
      }
    | undefined;

  constructor(index: RunIndex) {
    this.index = index;
  }

  get pairs(): readonly IndexedPair[] {
    return this.ofImages("pairs", () => pairsOf(this.index));
  }

  marginsOf(table: ScoreTable): Margins {
    return this.#once(`margins ${table.id}`, () => marginsOf(table, this));
  }

  /** The places of all images in the order of the plan. */
  get order(): Uint32Array {
    const { rows } = this.index;
    return this.ofImages("order", () => {
      const order = Uint32Array.from(rows.keys());
      const compare = (a: number, b: number) => {
        const [one, other] = [rows[a], rows[b]];
        if (one === undefined || other === undefined) return 0;
        if (one.step !== other.step) return one.step - other.step;
        if (one.place.part !== other.place.part) return one.place.part < other.place.part ? -1 : 1;
        return one.place.offset - other.place.offset;
      };
      // Images are mostly read in this order.
      return order.every((at) => at === 0 || compare(at - 1, at) <= 0)
        ? order
        : order.sort(compare);
    });
  }

  /**
   * How far apart the metrics' ranks of each image lie, in [0, 1], as in a trust card; NaN with fewer
   * than two. Metrics that were asked about the same kind of text are compared, and people with none.
   */
  get spreads(): Float64Array {
    return this.#once("spreads", () => metricSpreads(this.index));
  }

  /**
   * How far the rank of each image by a metric lies from that by people, in [0, 1]; NaN without either.
   *
   * @param table the metric; of all of them the one that lies furthest, if not given
   */
  gaps(table?: ScoreTable): Float64Array {
    return this.#once(`gaps ${table?.id ?? ""}`, () =>
      table === undefined
        ? furthest(this.index.tables.map((one) => this.gaps(one)))
        : peopleGaps(this.index, table),
    );
  }

  /** Searched text of each image: what it was painted from and what it was made for, in small letters. */
  get texts(): readonly string[] {
    return this.ofImages("texts", () =>
      this.index.rows.map((row) => {
        const { text, domain } = this.index.originOf(row) ?? {};
        return `${row.text}\n${text ?? ""}\n${domain ?? ""}`.toLowerCase();
      }),
    );
  }

  /**
   * Works out ahead what takes long the first time, so that nobody who sorts has to wait for it.
   *
   * @param pause lets other work go first, such as answers that a page waits for
   */
  async prepare(pause: () => Promise<void>): Promise<void> {
    const { version } = this.index;
    const steps = spreadsByMetric(this.index);
    while (!this.#ofRecords.at(version).has("spreads") && this.index.version === version) {
      const { done, value } = steps.next();
      if (done === true) this.#ofRecords.at(version).set("spreads", value);
      await pause();
    }
    for (const table of this.index.tables) {
      this.gaps(table);
      await pause();
    }
    this.gaps();
  }

  /** Reads the run's trace of each step. A long one is not gone over with every record. */
  async traces(): Promise<ReadonlyMap<string, StepTrace>> {
    const { version, run } = this.index;
    const kept = this.#traces;
    if (kept !== undefined && (kept.version === version || performance.now() < kept.until)) {
      return kept.found;
    }
    const begun = performance.now();
    const found = stepTraces(run);
    this.#traces = { version, until: Number.POSITIVE_INFINITY, found };
    await found;
    const took = performance.now() - begun;
    this.#traces = { version, until: performance.now() + 1000 + 10 * took, found };
    return found;
  }

  /** Keeps what is worked out from images and what they were made from until one is added. */
  ofImages<Value>(name: string, make: () => Value): Value {
    return once(this.#ofImages.at(this.index.imagesVersion), name, make);
  }

  #once<Value>(name: string, make: () => Value): Value {
    return once(this.#ofRecords.at(this.index.version), name, make);
  }
}

/** What was worked out from one version of an index, by name. */
class KeptValues {
  #version = -1;
  readonly #values = new Map<string, unknown>();

  at(version: number): Map<string, unknown> {
    if (this.#version !== version) this.#values.clear();
    this.#version = version;
    return this.#values;
  }
}

function once<Value>(kept: Map<string, unknown>, name: string, make: () => Value): Value {
  // Each name is only ever set with what one `make` returns.
  if (kept.has(name)) return kept.get(name) as Value;
  const made = make();
  kept.set(name, made);
  return made;
}

type Scored = Pick<ScoreTable, "direction" | "against" | "identity" | "value">;

interface Indexed {
  readonly rows: { readonly length: number };
  readonly tables: readonly Scored[];
}

/**
 * The margins of a metric's images, 0 where scores tie: of a contrastive pair both images have that of the pair, correct
 * minus adversarial, where a tie is a failure (ProtoBias, Eq. 5); of a description the image has that
 * of its text over the one with swapped attributes, where only a higher swapped one fails.
 */
export function marginsOf(
  table: Scored,
  { index, pairs }: { readonly index: Indexed; readonly pairs: readonly IndexedPair[] },
): Margins {
  const sign = table.direction === "higher" ? 1 : -1;
  const marginOf = (right: number, wrong: number) =>
    isTie(right, wrong) ? 0 : sign * (right - wrong);
  const found = new Margins(index.rows.length);
  if (table.against === "prompt") {
    for (const { kind, first, second } of pairs) {
      const [right, wrong] = [table.value(first), table.value(second)];
      if (kind !== "contrastive" || Number.isNaN(right) || Number.isNaN(wrong)) continue;
      const margin = marginOf(right, wrong);
      const failed = margin <= 0;
      found.set(first, margin, failed);
      found.set(second, margin, failed);
    }
  }
  const swapped =
    table.against === "own"
      ? index.tables.find((one) => one.against === "swapped" && one.identity === table.identity)
      : undefined;
  if (swapped !== undefined) {
    for (let image = 0; image < index.rows.length; image++) {
      const [right, wrong] = [table.value(image), swapped.value(image)];
      if (Number.isNaN(right) || Number.isNaN(wrong)) continue;
      const margin = marginOf(right, wrong);
      found.set(image, margin, margin < 0);
    }
  }
  return found;
}

type Ranked = Pick<RunIndex, "rows" | "tables">;

/** The distance between the highest and the lowest rank that metrics give each image; NaN with fewer than two. */
function metricSpreads(index: Ranked): Float64Array {
  const steps = spreadsByMetric(index);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/** The same, with a pause after each metric for whoever has other work. */
function* spreadsByMetric({ rows, tables }: Ranked): Generator<undefined, Float64Array> {
  const ranks: Float64Array[] = [];
  for (const table of tables.filter((one) => isRanking(one) && !one.isByPeople)) {
    ranks.push(ranksOf(rows.length, table));
    yield;
  }
  const spreads = new Float64Array(rows.length);
  for (let at = 0; at < rows.length; at++) {
    let [ranked, lowest, highest] = [0, 1, 0];
    for (const column of ranks) {
      const rank = column[at] ?? Number.NaN;
      if (Number.isNaN(rank)) continue;
      ranked++;
      lowest = Math.min(lowest, rank);
      highest = Math.max(highest, rank);
    }
    spreads[at] = ranked < 2 ? Number.NaN : highest - lowest;
  }
  return spreads;
}

/**
 * The largest distance between the rank of each image by a metric and that by people. People rate a
 * sample: the metric ranks the images that they rated and no other.
 */
function peopleGaps({ rows, tables }: Ranked, metric: ScoreTable): Float64Array {
  if (metric.isByPeople || !isRanking(metric))
    return new Float64Array(rows.length).fill(Number.NaN);
  const byPeople = tables.filter((table) => isRanking(table) && table.isByPeople);
  return furthest(
    byPeople.map((people) => {
      const isShared = (at: number) => !Number.isNaN(people.value(at) + metric.value(at));
      const theirs = ranksOf(rows.length, people, isShared);
      return ranksOf(rows.length, metric, isShared).map((rank, at) =>
        Math.abs((theirs[at] ?? Number.NaN) - rank),
      );
    }),
    rows.length,
  );
}

/** The largest of each image's distances; NaN where all are. */
function furthest(
  distances: readonly Float64Array[],
  length = distances[0]?.length ?? 0,
): Float64Array {
  const found = new Float64Array(length).fill(Number.NaN);
  for (const column of distances) {
    for (let at = 0; at < length; at++) {
      const distance = column[at] ?? Number.NaN;
      if (!((found[at] ?? Number.NaN) >= distance) && !Number.isNaN(distance)) found[at] = distance;
    }
  }
  return found;
}

function ranksOf(
  images: number,
  table: ScoreTable,
  isCounted: (at: number) => boolean = () => true,
): Float64Array {
  const scores = new Float64Array(images);
  for (let at = 0; at < images; at++) scores[at] = isCounted(at) ? table.value(at) : Number.NaN;
  return metricRanks(scores, table.direction);
}

/** Two images of a run that are set against each other, by their places in the index. */
interface IndexedPair {
  /** Names it in addresses. */
  readonly id: string;
  /** `contrastive`: the first shows what the text says; `preference`: two painters. */
  readonly kind: "contrastive" | "preference";
  readonly first: number;
  readonly second: number;
}

/** Returns the pairs of a run, in the order of their first images. */
function pairsOf({ rows }: Pick<RunIndex, "rows">): readonly IndexedPair[] {
  const seconds = new Map<string, number>();
  const nameOf = (prompt: string, sample: number, role: string) => `${prompt}/${sample}/${role}`;
  for (const [at, { prompt, sample, role }] of rows.entries()) {
    if (kinds.some(({ second }) => second === role)) seconds.set(nameOf(prompt, sample, role), at);
  }
  if (seconds.size === 0) return [];
  return rows.flatMap(({ key, prompt, sample, role }, first) => {
    const found = kinds.find((one) => one.first === role);
    const second = found && seconds.get(nameOf(prompt, sample, found.second));
    return found === undefined || second === undefined
      ? []
      : [{ id: key, kind: found.kind, first, second }];
  });
}

/** Tests if a filter keeps a pair: both images have a score, and none is below the threshold. */
export const isKeptBy =
  (filter: Pick<ScoreTable, "value">, keepFrom: number) =>
  ({ first, second }: Pick<IndexedPair, "first" | "second">): boolean =>
    filter.value(first) >= keepFrom && filter.value(second) >= keepFrom;
