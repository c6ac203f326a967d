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
  #pairs: readonly IndexedPair[] | undefined;
  #order: Uint32Array | undefined;
  #spreads: Float64Array | undefined;
  readonly #gaps = new Map<string, Float64Array>();
  #texts: readonly string[] | undefined;
  readonly #margins = new Map<string, Margins>();
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
    this.#forgetOld();
    this.#pairs ??= pairsOf(this.index);
    return this.#pairs;
  }

  marginsOf(table: ScoreTable): Margins {
    this.#forgetOld();
    const known = this.#margins.get(table.id);
    if (known !== undefined) return known;
    const margins = marginsOf(table, this);
    this.#margins.set(table.id, margins);
    return margins;
  }

  /** The places of all images in the order of the plan. */
  get order(): Uint32Array {
    this.#forgetOld();
    if (this.#order !== undefined) return this.#order;
    const { rows } = this.index;
    this.#order = Uint32Array.from(rows.keys()).sort((a, b) => {
      const [one, other] = [rows[a], rows[b]];
      if (one === undefined || other === undefined) return 0;
      if (one.step !== other.step) return one.step - other.step;
      if (one.place.part !== other.place.part) return one.place.part < other.place.part ? -1 : 1;
      return one.place.offset - other.place.offset;
    });
    return this.#order;
  }

  /**
   * How far apart the metrics' ranks of each image lie, in [0, 1], as in a trust card; NaN with fewer
   * than two. Metrics that were asked about the same kind of text are compared, and people with none.
   */
  get spreads(): Float64Array {
    this.#forgetOld();
    this.#spreads ??= metricSpreads(this.index);
    return this.#spreads;
  }

  /**
   * How far the rank of each image by a metric lies from that by people, in [0, 1]; NaN without either.
   *
   * @param table the metric; of all of them the one that lies furthest, if not given
   */
  gaps(table?: ScoreTable): Float64Array {
    this.#forgetOld();
    const name = table?.id ?? "";
    const known = this.#gaps.get(name);
    if (known !== undefined) return known;
    const gaps = peopleGaps(this.index, table);
    this.#gaps.set(name, gaps);
    return gaps;
  }

  /**
   * Works out ahead what takes long the first time, so that nobody who sorts has to wait for it.
   *
   * @param pause lets other work go first, such as answers that a page waits for
   */
  async prepare(pause: () => Promise<void>): Promise<void> {
    this.#forgetOld();
    const { version } = this.index;
    const steps = spreadsByMetric(this.index);
    while (this.#spreads === undefined && this.index.version === version) {
      const { done, value } = steps.next();
      if (done === true) this.#spreads = value;
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

  /** Searched text of each image: what it was painted from and what it was made for, in small letters. */
  get texts(): readonly string[] {
    this.#forgetOld();
    this.#texts ??= this.index.rows.map((row) => {
      const { text, domain } = this.index.originOf(row) ?? {};
      return `${row.text}\n${text ?? ""}\n${domain ?? ""}`.toLowerCase();
    });
    return this.#texts;
  }

  #forgetOld(): void {
    if (this.#version === this.index.version) return;
    this.#version = this.index.version;
    this.#pairs = undefined;
    this.#order = undefined;
    this.#spreads = undefined;
    this.#gaps.clear();
    this.#texts = undefined;
    this.#margins.clear();
  }
}
