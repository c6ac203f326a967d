import type { TrustCard } from "../../analysis/trust-card/trust-card.js";

/** Trust cards beside each other, and where more may be taken from. */
export interface CardPage {
  readonly sources: readonly CardSource[];
  readonly cards: readonly { readonly from: string; readonly card: TrustCard }[];
  /** Why a source that was asked for gives none. */
  readonly problems: readonly { readonly name: string; readonly message: string }[];
}

/** A run with metrics, or a file that `card --out` wrote. */
export interface CardSource {
  /** `run:` or `file:`, and the id of that. */
  readonly id: string;
  readonly name: string;
  readonly isShown: boolean;
}
