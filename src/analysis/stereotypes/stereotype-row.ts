/** One answer of a rubric about one set of images. */
export interface StereotypeRow {
  readonly query: string;
  readonly category: string;
  readonly model: string;
  readonly phase: "initial" | "refined";
  readonly imageSet: string;
  readonly item: string;
  /** 1 where the images reinforce a negative stereotype about it; null where nobody answered. */
  readonly present: 0 | 1 | null;
  /** An expert's answer. */
  readonly expert?: 0 | 1 | null;
}
