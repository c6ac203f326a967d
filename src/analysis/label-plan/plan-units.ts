import { groupBy } from "../../core/arrays.js";
import type { LabelDraws } from "../../stats/planned-mean.js";

/** What an answer is wanted for: which model is better, a mean rating, or a judge's accuracy at its threshold. */
export const planAims = ["compare", "rate", "threshold"] as const;
export type PlanAim = (typeof planAims)[number];

/** One thing to ask about: a prompt with all its models, an image, or a judge's answer. */
export interface PlanUnit {
  /** What items are sorted by into strata. */
  readonly score: number;
  /** Its domain and model; strata lie within. */
  readonly groups: readonly string[];
  /** The answer as the estimate takes it (a win, a rating, whether the judge is right); null where nobody gave one. */
  readonly answer: number | null;
  /** The score as the estimate takes it: what it says of the answer. */
  readonly forecast: number;
  /** 1 / probability with which it was drawn before; null where it was not. */
  readonly weight: number | null;
  readonly round: number | null;
  readonly stratum: string | null;
}

/** Places of units that are strata together, in the order of their names. */
export interface PlanStratum {
  readonly name: string;
  readonly places: readonly number[];
}

/** Labels for each stratum on average: fewer would tell too little of its variance. */
const labelsEach = 4;
/** More bands of score gain next to nothing (Cochran, "Sampling Techniques" (1977), 5A.8). */
const mostBands = 16;

/**
 * Sorts units into strata: bands of score with about as much expected spread each, so that each gets about four labels
 * (Dalenius and Hodges 1959), within each domain and model where the budget has four labels for each, else within each
 * model, else all together. Equal scores are in one band.
 *
 * @param spreads the expected standard deviation of each unit's answer.
 */
export function planStrata(
  units: readonly PlanUnit[],
  { budget, spreads }: { readonly budget: number; readonly spreads: readonly number[] },
): PlanStratum[] {
  const depth = units[0]?.groups.length ?? 0;
  const all = sumOver([...units.keys()], spreads);
  for (let used = depth; used >= 0; used--) {
    const groups = groupBy(units.keys(), (at) =>
      (units[at]?.groups ?? [])
        .slice(depth - used)
        .filter(Boolean)
        .join(" "),
    );
    if (groups.size * labelsEach > budget && used > 0) continue;
    return [...groups]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([name, places]) => {
        const share = all > 0 ? sumOver(places, spreads) / all : places.length / units.length;
        const count = Math.floor((share * budget) / labelsEach);
        return scoreBands(places, {
          units,
          spreads,
          count: Math.min(mostBands, Math.max(1, count)),
        }).map((its, band) => ({
          name: [name, `band ${band + 1}`].filter(Boolean).join(" "),
          places: its,
        }));
      });
  }
  return [];
}

const sumOver = (places: readonly number[], of: readonly number[]) =>
  places.reduce((sum, at) => sum + (of[at] ?? 0), 0);

function scoreBands(
  places: readonly number[],
  {
    units,
    spreads,
    count,
  }: {
    readonly units: readonly PlanUnit[];
    readonly spreads: readonly number[];
    readonly count: number;
  },
): number[][] {
  const scoreOf = (place: number) => units[place]?.score ?? 0;
  const sorted = [...places].sort((a, b) => scoreOf(a) - scoreOf(b) || a - b);
  const all = sumOver(places, spreads);
  const bands: number[][] = [];
  let [last, before] = [-1, 0];
  for (const [at, place] of sorted.entries()) {
    const isTie = at > 0 && scoreOf(place) === scoreOf(sorted[at - 1] ?? 0);
    const own = spreads[place] ?? 0;
    const band = all > 0 ? Math.floor((count * (before + own / 2)) / all) : 0;
    before += own;
    if (!isTie && band > last) {
      bands.push([]);
      last = band;
    }
    bands.at(-1)?.push(place);
  }
  return bands;
}

/** The draws of labelled units, as an estimate takes them. */
export function drawsOf(units: readonly PlanUnit[]): LabelDraws {
  const strata = new Map<string, number>();
  return {
    weight: units.map(({ weight }) => weight ?? Number.NaN),
    round: units.map(({ round }) => round ?? 1),
    stratum: units.map(({ stratum }) => {
      const name = stratum ?? "";
      const code = strata.get(name) ?? strata.size;
      strata.set(name, code);
      return code;
    }),
  };
}
