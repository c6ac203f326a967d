import type { Direction } from "../analysis/pairs/pair-sums.js";
import { keyOf } from "../core/keys.js";
import { isByPeople } from "../core/models.js";
import type { RecordPosition } from "../core/record-store.js";
import { type UnscoredReason, unscoredReasons } from "../core/unscored.js";
import type { ScoreColumn, TextKind } from "./api.js";
import type { IndexedOf } from "./indexed-record.js";

type Score = IndexedOf<"score">;

/** An image's score by one metric. */
export interface TableScore {
  readonly value: number | null;
  readonly reason: UnscoredReason | null;
}

/** The scores of one metric against one kind of text, by the image's place in the index. */
export class ScoreTable {
  readonly id: string;
  readonly against: TextKind;
  readonly direction: Direction;
  /** All but the kind of text: the same metric against other texts has the same. */
  readonly identity: string;
  readonly #facts: Score;
  readonly #values = new NumberColumn();
  readonly #attempts = new NumberColumn();
  readonly #reasons = new NumberColumn();
  readonly #parts: string[] = [];
  readonly #part = new NumberColumn();
  readonly #offset = new NumberColumn();
  readonly #length = new NumberColumn();
  #scored = 0;
  #unscored = 0;

  constructor(first: Score, against: TextKind) {
    this.#facts = first;
    this.against = against;
    this.direction = first.direction;
    this.identity = identityOf(first);
    this.id = `${first.metric}~${keyOf({ identity: this.identity, against }).slice(0, 6)}`;
  }

  /** Whether people gave the scores: they rate a sample, and are no metric. */
  get isByPeople(): boolean {
    return isByPeople(this.#facts);
  }

  /** Whether a score is of the same metric, model and trial: quicker than to compare identities. */
  isOf(score: Score): boolean {
    return distinctive.every((member) => score[member] === this.#facts[member]);
  }

  /** Notes a score; of several attempts the latest counts, or the one whose step is in order. */
  take(image: number, score: Score, place: RecordPosition, { always = false } = {}): void {
    const before = this.#attempts.get(image);
    if (before > score.attempt && !always) return;
    const wasScored = !Number.isNaN(this.#values.get(image));
    if (!Number.isNaN(before)) {
      // The one with an answer counts of two equal attempts.
      if (before === score.attempt && wasScored && score.value === undefined && !always) return;
      if (wasScored) this.#scored--;
      else this.#unscored--;
    }
    this.#attempts.set(image, score.attempt);
    this.#part.set(image, this.#partNumber(place.part));
    this.#offset.set(image, place.offset);
    this.#length.set(image, place.length);
    this.#values.set(image, score.value ?? Number.NaN);
    this.#reasons.set(
      image,
      score.reason === undefined ? -1 : unscoredReasons.indexOf(score.reason),
    );
    if (score.value === undefined) this.#unscored++;
    else this.#scored++;
  }

  /** Undefined where the metric was not asked about the image. */
  get(image: number): TableScore | undefined {
    if (Number.isNaN(this.#attempts.get(image))) return undefined;
    const value = this.#values.get(image);
    if (!Number.isNaN(value)) return { value, reason: null };
    return { value: null, reason: unscoredReasons[this.#reasons.get(image)] ?? null };
  }

  /** Where the score's line stands. */
  placeOf(image: number): RecordPosition | undefined {
    const part = this.#parts[this.#part.get(image)];
    if (part === undefined) return undefined;
    return { part, offset: this.#offset.get(image), length: this.#length.get(image) };
  }

  /** NaN where there is none. */
  value(image: number): number {
    return this.#values.get(image);
  }

  #partNumber(part: string): number {
    const known = this.#parts.indexOf(part);
    return known < 0 ? this.#parts.push(part) - 1 : known;
  }

  describe(images: number): Omit<ScoreColumn, "hasMargin"> {
    const { metric, model, convention, template, statistic, range, direction, trial } = this.#facts;
    let lowest: number | null = null;
    let highest: number | null = null;
    for (let image = 0; image < images; image++) {
      const value = this.#values.get(image);
      if (Number.isNaN(value)) continue;
      if (lowest === null || value < lowest) lowest = value;
      if (highest === null || value > highest) highest = value;
    }
    return {
      id: this.id,
      metric,
      model,
      ...(convention === undefined ? {} : { convention }),
      ...(template === undefined ? {} : { template }),
      statistic,
      range,
      direction,
      against: this.against,
      isByPeople: this.isByPeople,
      trial,
      scored: this.#scored,
      unscored: this.#unscored,
      lowest,
      highest,
    };
  }
}

/** Members that tell a run's metrics and trials apart. */
const distinctive = [
  "metric",
  "model",
  "trial",
  "convention",
  "template",
  "statistic",
  "baseUrl",
] as const satisfies readonly (keyof Score)[];

/** The same as one text. */
export const identityOf = (score: Score): string =>
  JSON.stringify(distinctive.map((member) => score[member] ?? null));

/** A growing column of numbers, one for each image; NaN where there is none. */
class NumberColumn {
  #values = new Float64Array(1024).fill(Number.NaN);

  get(at: number): number {
    return this.#values[at] ?? Number.NaN;
  }

  set(at: number, value: number): void {
    if (at >= this.#values.length) {
      const longer = new Float64Array(2 ** Math.ceil(Math.log2(at + 1))).fill(Number.NaN);
      longer.set(this.#values);
      this.#values = longer;
    }
    this.#values[at] = value;
  }
}
