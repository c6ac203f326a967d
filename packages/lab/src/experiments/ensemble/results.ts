import {
  baselineMethods,
  chunkKey,
  type GridDesign,
  mixtureMethods,
  resultWidth,
  trainingOf,
} from "./grid.js";
import { curvePoints, type ExperimentMetric, experimentMetrics } from "./metrics.js";

/** A method with its numbers of prompts and labels; `clusters` is the number of groups of a mixture. */
export interface Setting {
  readonly method: string;
  readonly prompts: number;
  readonly labels: number;
  readonly clusters: number;
}

/** Looks up the results of a grid by setting. */
export class GridResults {
  readonly design: GridDesign;
  readonly #chunks: ReadonlyMap<string, Float64Array>;
  readonly #available: number;
  readonly #baselines: readonly string[];
  readonly #mixtures: readonly string[];

  /** @param available number of prompts in the table of answers. */
  constructor(design: GridDesign, chunks: ReadonlyMap<string, Float64Array>, available: number) {
    this.design = design;
    this.#chunks = chunks;
    this.#available = available;
    this.#baselines = baselineMethods(design);
    this.#mixtures = mixtureMethods(design);
  }

  /** Returns a metric for each label seed: its mean over training seeds and, for mixtures, clusterings. */
  perLabelSeed(setting: Setting, metric: ExperimentMetric): Float64Array {
    return this.#each(setting, experimentMetrics.indexOf(metric));
  }

  /** Returns the error-coverage curves, averaged as `perLabelSeed`, at [point][label seed]. */
  curves(setting: Setting): Float64Array[] {
    return Array.from({ length: curvePoints }, (_, point) =>
      this.#each(setting, experimentMetrics.length + point),
    );
  }

  #each({ method, prompts, labels, clusters }: Setting, number: number): Float64Array {
    const { design } = this;
    const isMixture = this.#mixtures.includes(method);
    const which = (isMixture ? this.#mixtures : this.#baselines).indexOf(method);
    const draw =
      (which * design.labels.length + design.labels.indexOf(labels)) * design.seeds.labels;
    const clusterings = isMixture ? design.seeds.clusters : 1;
    const values = new Float64Array(design.seeds.labels);
    for (let training = 0; training < design.seeds.training; training++) {
      for (let cluster = 0; cluster < clusterings; cluster++) {
        const key = chunkKey({
          prompts,
          cluster,
          clusters: isMixture ? clusters : 0,
          training: trainingOf(training, prompts, this.#available),
        });
        const chunk = this.#chunks.get(key);
        if (chunk === undefined || which < 0) throw new RangeError(`Expected results of ${key}`);
        for (let seed = 0; seed < values.length; seed++) {
          values[seed] =
            (values[seed] ?? 0) +
            (chunk[(draw + seed) * resultWidth + number] ?? Number.NaN) /
              (design.seeds.training * clusterings);
        }
      }
    }
    return values;
  }
}
