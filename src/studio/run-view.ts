import { type StepTrace, stepTraces } from "../runs/run-status.js";
import { type IndexedPair, pairsOf } from "./indexed-pairs.js";
import { type Margins, marginsOf } from "./margins.js";
import { noNotes, type RunNotes } from "./notes/note-api.js";
import { furthest, metricSpreads, peopleGaps, spreadsByMetric } from "./rank-gaps.js";
import type { RunIndex } from "./run-index.js";
import type { ScoreTable } from "./score-table.js";

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
