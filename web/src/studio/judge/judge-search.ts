/** Search of a judge's page: the target error, and the threshold that is tried. */
export interface JudgeSearch {
  readonly target?: number;
  readonly threshold?: number;
}

const share = (value: unknown): value is number =>
  typeof value === "number" && value > 0 && value < 1;

export const judgeSearch = ({
  target,
  threshold,
}: Readonly<Record<string, unknown>>): JudgeSearch => ({
  ...(share(target) ? { target } : {}),
  ...(share(threshold) ? { threshold } : {}),
});
