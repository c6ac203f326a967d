import type { Estimate } from "../../stats/estimate.js";
import { independentChange } from "../comparison/model-change.js";
import type { TrustCard } from "./trust-card.js";
import { type CardFigure, type FigureId, figureIds, judgedEstimate } from "./trust-card-figure.js";

/** A figure of a metric in two cards. */
export interface FigureChange {
  readonly metric: string;
  readonly id: FigureId;
  readonly title: string;
  readonly old: Side;
  readonly new: Side;
  /** New minus old, the two taken as independent; missing where either was not measured. */
  readonly change?: Estimate;
  /**
   * By the interval of the change and the side that is expected: `improved`, `worsened`; `moved` where nothing is
   * expected or both sides are wrong; `not-shown` where it holds 0; `not-comparable` where either was not measured.
   */
  readonly state: "improved" | "worsened" | "moved" | "not-shown" | "not-comparable";
}

interface Side {
  readonly status: CardFigure["status"];
  readonly n: number;
  readonly unscored: number;
  readonly estimate?: Estimate & { readonly unit: string };
}

export interface CardDiff {
  readonly figures: readonly FigureChange[];
  /** Metrics of one file alone. */
  readonly added: readonly string[];
  readonly gone: readonly string[];
}

/**
 * How trust cards changed, figure by figure. Intervals of changes are MOVER's for independent estimates (Zou and
 * Donner, "Construction of Confidence Limits about Effect Measures", 2008); of the same rows they are wider than is
 * due, so that no change is claimed too soon.
 */
export function cardDiff(old: readonly TrustCard[], now: readonly TrustCard[]): CardDiff {
  const names = (cards: readonly TrustCard[]) => cards.map(({ subject }) => subject.name);
  const [before, after] = [names(old), names(now)];
  return {
    figures: now.flatMap((card) => {
      const its = old.find(({ subject }) => subject.name === card.subject.name);
      return its === undefined ? [] : figureIds.flatMap((id) => changesOf(id, its, card));
    }),
    added: after.filter((name) => !before.includes(name)),
    gone: before.filter((name) => !after.includes(name)),
  };
}

function changesOf(id: FigureId, old: TrustCard, now: TrustCard): FigureChange[] {
  // Files of other versions may lack figures.
  const [one, other]: (CardFigure | undefined)[] = [old.figures[id], now.figures[id]];
  if (one === undefined || other === undefined) return [];
  const [before, after] = [judgedEstimate(one), judgedEstimate(other)];
  if (before === undefined && after === undefined) return [];
  const shared = {
    metric: now.subject.name,
    id,
    title: other.title,
    old: sideOf(one),
    new: sideOf(other),
  };
  if (before === undefined || after === undefined) return [{ ...shared, state: "not-comparable" }];
  const change = independentChange(after, before, "higher");
  if (change.low === null || change.high === null) {
    return [{ ...shared, change, state: "not-comparable" }];
  }
  const isUp = change.low > 0;
  const state = isUp || change.high < 0 ? towards(other, isUp) : "not-shown";
  return [{ ...shared, change, state }];
}

/** Whether going up or down is what the expectation hopes for. */
function towards({ expectation }: CardFigure, isUp: boolean) {
  const [low, high] = [expectation?.low, expectation?.high];
  if ((low === undefined) === (high === undefined)) return "moved";
  return isUp === (low !== undefined) ? "improved" : "worsened";
}

function sideOf(figure: CardFigure): Side {
  const { status, n, unscored } = figure;
  const found = judgedEstimate(figure);
  return { status, n, unscored, ...(found && { estimate: found }) };
}
