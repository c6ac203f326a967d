/** Limits, in tokens, that leave room for a thought before an answer of a word or some JSON. */
export const tokenLimits = [0, 4096, 16_384] as const;
