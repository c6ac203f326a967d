import { InputError } from "../../core/errors.js";
import { square } from "../../stats/elementary/powers.js";
import type { Direction } from "../pairs/pair-sums.js";
import { scoreSteps } from "./change-interval.js";
import {
  type ChangeNoise,
  noiseOfPrompts,
  noiseOfSamples,
  noiseOfSelf,
  promptsFor,
} from "./change-noise.js";
import {
  type ComparisonColumns,
  cellsOf,
  meanOf,
  rowsOfModel,
  samplesOf,
  scoresOf,
  someRows,
} from "./comparison-samples.js";
import { type Margin, marginOf, selfName } from "./margin-gate.js";

/** How many prompts show that a model is as good as before. */
export interface MarginPlan extends Margin {
  readonly margin: number;
  readonly power: number;
  /** Of the model that takes most; null where it would take more than ten million. */
  readonly prompts: number | null;
  /** Images of a prompt, as the table has them. */
  readonly samples: number;
  readonly perModel: Readonly<
    Record<
      string,
      { readonly prompts: number | null; readonly samples: number; readonly noise: ChangeNoise }
    >
  >;
}

/**
 * How many prompts a gate takes that an unchanged model passes with a power, from one table alone: the noise
 * of a prompt's change is told by scores of the same generator, else by several images of a prompt, else by the
 * scores of all prompts, which is the most that it can be.
 *
 * @throws InputError where a model has fewer than two scores.
 */
export function marginPlan(
  rows: ComparisonColumns,
  {
    self = [],
    power,
    range,
    direction = "higher",
    ...margin
  }: Margin & {
    readonly self?: readonly ComparisonColumns[];
    readonly power: number;
    readonly range?: readonly [low: number, high: number] | undefined;
    readonly direction?: Direction;
  },
): MarginPlan {
  const all = samplesOf(rows);
  const perModel = all.models.map((name, model) => {
    const its = someRows(rows, rowsOfModel(rows, name));
    const others = self.map((table) => someRows(table, rowsOfModel(table, selfName(table, name))));
    const noise =
      (others.length > 0 ? noiseOfSelf(its, others, direction) : noiseOfSamples(its)) ??
      (others.length > 0 ? undefined : noiseOfPrompts(its));
    if (noise === undefined) {
      throw new InputError(
        `Expected two scores of ${name} or more${others.length > 0 ? " on prompts of --self" : ""}, ` +
          "to tell how much they vary by themselves",
      );
    }
    const { from, to } = cellsOf(all, model);
    const cells = Array.from({ length: to - from }, (_, at) => scoresOf(all, from + at));
    const steps = scoreSteps([its.score], Float64Array.from(cells, meanOf), range);
    const forecast = { margin: marginOf(margin), power, isBothEnds: margin.same !== null };
    const scored = promptsFor(noise, steps, forecast);
    // As many lack a score on either side as do now.
    const share = cells.length / new Set(its.prompt.codes).size;
    return {
      name,
      noise,
      prompts: scored && Math.ceil(scored / square(share)),
      samples: Math.round(meanOf(cells.map(({ length }) => length))),
    };
  });
  const counts = perModel.map(({ prompts }) => prompts);
  return {
    ...margin,
    margin: marginOf(margin),
    power,
    prompts: counts.reduce<number | null>(
      (most, each) => (most === null || each === null ? null : Math.max(most, each)),
      0,
    ),
    samples: perModel.reduce((most, { samples }) => Math.max(most, samples), 0),
    perModel: Object.fromEntries(perModel.map(({ name, ...plan }) => [name, plan])),
  };
}
