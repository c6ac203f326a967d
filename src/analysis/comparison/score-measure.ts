/**
 * Measure of scores, as far as their table says it: a metric's name alone does not say whose answers
 * they are, nor on which scale. Members that nobody named are missing.
 */
export interface ScoreMeasure {
  /** The model that was asked, with its revision. */
  readonly model?: string | undefined;
  readonly convention?: string | undefined;
  readonly template?: string | undefined;
  readonly statistic?: string | undefined;
  readonly metricVersion?: string | undefined;
  /** The ends of the metric's range. */
  readonly range?: readonly [low: number, high: number] | undefined;
}

const named = [
  ["model", "the model"],
  ["convention", "the convention"],
  ["template", "the template"],
  ["statistic", "the statistic"],
  ["metricVersion", "the version of the metric"],
  ["range", "the range of scores"],
] as const satisfies readonly (readonly [keyof ScoreMeasure, string])[];

/**
 * In what two measures differ, a phrase each; what only one of them names is no difference.
 *
 * @example differencesOf({ range: [0, 1] }, { range: [0, 100] })
 *   // ["the range of scores (0 to 100 before, 0 to 1 now)"]
 */
export function differencesOf(now: ScoreMeasure, before: ScoreMeasure): string[] {
  return named.flatMap(([name, words]) => {
    const [one, other] = [now, before].map((each) => textOf(each[name]));
    return one === undefined || other === undefined || one === other
      ? []
      : [`${words} (${other} before, ${one} now)`];
  });
}

const textOf = (value: ScoreMeasure[keyof ScoreMeasure]): string | undefined =>
  value === undefined || typeof value === "string" ? value : value.join(" to ");
