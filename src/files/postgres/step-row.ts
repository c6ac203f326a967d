/** A step of a run as its row has it. */
export interface StepRow {
  readonly id: number;
  readonly name: string;
  /** Records that were ever appended: the `seq` of the last. */
  readonly last: number;
  /** The value of `last` when it was put in order, 0 where it never was. */
  readonly ordered: number;
  /** Changes whenever it is put in order. */
  readonly version: number;
  readonly seal: string | null;
}
