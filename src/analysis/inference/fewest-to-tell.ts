/**
 * Of fewer rows, items, prompts or queries a verdict claims nothing from an interval alone: where all
 * point one way so does every resample, however few they are, but five tossed coins fall on one side
 * in 1 of 16 cases; of six it is 1 in 32, the first below 0.05.
 */
export const fewestToTell = 6;
