import type { Estimate } from "../../stats/estimate.js";
import type { ViewTable } from "../../views/view.js";

/** Models by every metric, of one run or of runs beside each other. */
export interface RunComparison {
  /** Generators, of several runs with the run's name before. */
  readonly models: readonly string[];
  readonly metrics: readonly ComparedMetric[];
}

/** Models compared by one metric. */
export interface ComparedMetric {
  readonly name: string;
  readonly verdict: string;
  /** Mean score of each model that was scored, with its interval. */
  readonly means: Readonly<Record<string, Estimate & { readonly n: number }>>;
  /** By model, where the images that its mean is of are to be seen. */
  readonly images: Readonly<Record<string, ComparedImages>>;
  /** How well it follows people, on the images that they rated; null where they rated none. */
  readonly people: PeopleAgreement | null;
  /** Share of shared prompts on which a beats b, ties half. */
  readonly wins: readonly { readonly a: string; readonly b: string; readonly winRate: Estimate }[];
  readonly tables: readonly ViewTable[];
  readonly warnings: readonly string[];
  /** For two runs: what the metric gets right in one and wrong in the other; null for any other number. */
  readonly flips: Flips | null;
}

/** A model's images in a run's gallery, and the column of the metric's scores there. */
export interface ComparedImages {
  readonly run: string;
  readonly generator: string;
  readonly column: string;
}

/** How well a metric follows people. */
export interface PeopleAgreement {
  /** Images that both scored. */
  readonly n: number;
  readonly kendallTauB: Estimate;
  /** Share of pairs of images that it puts in people's order. */
  readonly pairwiseAccuracy: Estimate;
}

export interface Flips {
  /** Images that both runs have a verdict on. */
  readonly shared: number;
  readonly nowRight: number;
  readonly nowWrong: number;
  /** The first of them. */
  readonly items: readonly {
    readonly text: string;
    readonly role: string;
    readonly isNowRight: boolean;
    /** The image in either run. */
    readonly before: string;
    readonly after: string;
  }[];
}
