/** The words that promise so much. */
export const promiseWords = ({
  target,
  confidence,
}: {
  readonly target: number;
  readonly confidence: number;
}): string[] => [
  ...["--target-error", String(target)],
  ...(confidence === 0.95 ? [] : ["--confidence", String(confidence)]),
];
