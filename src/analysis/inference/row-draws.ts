import { roundWeights } from "../../stats/planned-mean.js";

/** How rows were drawn, as `label plan` says it in the columns weight, stratum and round. */
export interface RowDraws {
  /** 1 / probability of each row in its round; NaN for a row that was not drawn. */
  readonly weight: Float64Array;
  readonly stratum: Int32Array;
  /** From 1 on. */
  readonly round: Float64Array;
}

/** The draws of some rows, in the order in which they are named. */
export const someDraws = ({ weight, stratum, round }: RowDraws, rows: Int32Array): RowDraws => ({
  weight: Float64Array.from(rows, (row) => weight[row] ?? Number.NaN),
  stratum: Int32Array.from(rows, (row) => stratum[row] ?? 0),
  round: Float64Array.from(rows, (row) => round[row] ?? 1),
});

/** Whether every row was drawn, so that the table holds a sample and not all there is. */
export const areAllDrawn = ({ weight }: RowDraws): boolean => !weight.some(Number.isNaN);

/** How many rows each of some rows stands for; undefined where none was drawn, so that each is itself. */
export const drawWeights = (draws: RowDraws | undefined, rows: Int32Array) =>
  draws && roundWeights(someDraws(draws, rows)).total;

/** How estimates were weighted, in a sentence. */
export const weightedText =
  "Rows are weighted by 1 / probability of their draw (Hájek estimates; rounds by their numbers of labels).";
