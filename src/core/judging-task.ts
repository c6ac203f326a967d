/** What a judge decides: which of two images is better, yes or no, or a rating of one image. */
export const judgingTasks = ["pair", "yes-no", "rating"] as const;
export type JudgingTask = (typeof judgingTasks)[number];
