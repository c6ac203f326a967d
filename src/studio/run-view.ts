import { type StepTrace, stepTraces } from "../runs/run-status.js";
import { type IndexedPair, pairsOf } from "./indexed-pairs.js";
import { type Margins, marginsOf } from "./margins.js";
import { noNotes, type RunNotes } from "./notes/note-api.js";
import { metricSpreads, peopleGaps, spreadsByMetric } from "./rank-gaps.js";
import type { RunIndex } from "./run-index.js";
import type { ScoreTable } from "./score-table.js";

/** Results worked out from an index and kept until it has grown. */
export class RunView {
  readonly index: RunIndex;
  /** What people noted, as it was last read. */
  notes: RunNotes = noNotes;
  #version = -1;
  /** What was worked out since the index last grew, by name. */
  readonly #kept = new Map<string, unknown>();
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
    return this.#once("pairs", () => pairsOf(this.index));
  }

  marginsOf(table: ScoreTable): Margins {
    return this.#once(`margins ${table.id}`, () => marginsOf(table, this));
  }

  /** The places of all images in the order of the plan. */
  get order(): Uint32Array {
    const { rows } = this.index;
    return this.#once("order", () =>
      Uint32Array.from(rows.keys()).sort((a, b) => {
        const [one, other] = [rows[a], rows[b]];
        if (one === undefined || other === undefined) return 0;
        if (one.step !== other.step) return one.step - other.step;
        if (one.place.part !== other.place.part) return one.place.part < other.place.part ? -1 : 1;
        return one.place.offset - other.place.offset;
      }),
    );
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
    return this.#once(`gaps ${table?.id ?? ""}`, () => peopleGaps(this.index, table));
  }

  /** Searched text of each image: what it was painted from and what it was made for, in small letters. */
  get texts(): readonly string[] {
    return this.#once("texts", () =>
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
    while (!this.#fresh().has("spreads") && this.index.version === version) {
      const { done, value } = steps.next();
      if (done === true) this.#kept.set("spreads", value);
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

  /** What was worked out from the index as it stands now. */
  #fresh(): Map<string, unknown> {
    if (this.#version !== this.index.version) this.#kept.clear();
    this.#version = this.index.version;
    return this.#kept;
  }

  #once<Value>(name: string, make: () => Value): Value {
    const kept = this.#fresh();
    // Each name is only ever set by one of the members above.
    if (kept.has(name)) return kept.get(name) as Value;
    const made = make();
    kept.set(name, made);
    return made;
  }
}
