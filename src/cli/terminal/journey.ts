/** One step of several on the way to what a command promises. */
export interface JourneyStep {
  /** As events name it. */
  readonly id: string;
  /** Its work, in words for everybody. */
  readonly title: string;
  /** How long it takes beside the others, in any unit. */
  readonly cost: number;
}

/** Least share of all at which loading no longer hides the rate. */
const leastShare = 0.02;

/**
 * How far a command has come that goes over several steps, and how much longer it will take: by the
 * rate at which it worked so far, and what each step costs beside the others. What was there already
 * took no time, and says nothing of the rate.
 */
export class Journey {
  readonly #steps: readonly JourneyStep[];
  readonly #now: () => number;
  readonly #started: number;
  #at = -1;
  /** Share of the step at hand that is done, in [0, 1]. */
  #share = 0;
  /** Share of it that was there already. */
  #reused = 0;
  /** The cost of what was made in the steps before. */
  #made = 0;

  /** @param now milliseconds */
  constructor(steps: readonly JourneyStep[], now: () => number) {
    this.#steps = steps;
    this.#now = now;
    this.#started = now();
  }

  /** Goes on to the next step of this name; `share` of it is there already. */
  begin(id: string, share = 0): void {
    const next = this.#steps.findIndex((step, index) => index > this.#at && step.id === id);
    if (next < 0) return;
    this.#made += this.#madeHere();
    this.#at = next;
    this.#share = share;
    this.#reused = share;
  }

  /** Says how much of the step at hand is done. */
  reach(share: number): void {
    this.#share = share;
  }

  /** "step 7 of 23" */
  get place(): string {
    return `step ${this.#at + 1} of ${this.#steps.length}`;
  }

  get title(): string {
    return this.#steps[this.#at]?.title ?? "";
  }

  /** Seconds until all steps are done; undefined while nothing can be said. */
  get secondsLeft(): number | undefined {
    const made = this.#made + this.#madeHere();
    const elapsed = (this.#now() - this.#started) / 1000;
    const all = this.#steps.reduce((sum, { cost }) => sum + cost, 0);
    if (made < leastShare * all || elapsed === 0) return undefined;
    const after = this.#steps.slice(this.#at + 1).reduce((sum, { cost }) => sum + cost, 0);
    return ((after + this.#costHere() * (1 - this.#share)) * elapsed) / made;
  }

  #costHere(): number {
    return this.#steps[this.#at]?.cost ?? 0;
  }

  #madeHere(): number {
    return this.#costHere() * (this.#share - this.#reused);
  }
}
