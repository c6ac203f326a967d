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

/** More bands of score gain next to nothing (Cochran, "Sampling Techniques" (1977), 5A.8). */
const mostBands = 8;
/** Labels for each stratum on average, at least. */
const labelsEach = 3;

/**
 * Sorts units into strata: bands of score of about as many units each, within each domain and model where the budget
 * has at least three labels for each, else within each model, else all together. Equal scores are in one band.
 */
export function planStrata(units: readonly PlanUnit[], budget: number): PlanStratum[] {
  const depth = units[0]?.groups.length ?? 0;
  for (let used = depth; used >= 0; used--) {
    const groups = new Map<string, number[]>();
    for (const [at, unit] of units.entries()) {
      const name = unit.groups
        .slice(depth - used)
        .filter(Boolean)
        .join(" ");
      groups.set(name, [...(groups.get(name) ?? []), at]);
    }
    const bands = Math.min(mostBands, Math.floor(budget / (labelsEach * groups.size)));
    if (bands < 1 && used > 0) continue;
    return [...groups]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([name, places]) =>
        scoreBands(places, { units, count: Math.max(1, bands) }).map((its, band) => ({
          name: [name, `band ${band + 1}`].filter(Boolean).join(" "),
          places: its,
        })),
      );
  }
  return [];
}

function scoreBands(
  places: readonly number[],
  { units, count }: { readonly units: readonly PlanUnit[]; readonly count: number },
): number[][] {
  const scoreOf = (place: number) => units[place]?.score ?? 0;
  const sorted = [...places].sort((a, b) => scoreOf(a) - scoreOf(b) || a - b);
  const bands: number[][] = [];
  let last = -1;
  for (const [at, place] of sorted.entries()) {
    const isTie = at > 0 && scoreOf(place) === scoreOf(sorted[at - 1] ?? 0);
    const band = Math.floor((at * count) / sorted.length);
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
