/** Kind of decision of a judge: which of two images is better, yes or no, or a rating of one image. */
export const judgingTasks = ["pair", "yes-no", "rating"] as const;
export type JudgingTask = (typeof judgingTasks)[number];

/**
 * And what else a chat model does: answers a rubric or rewrites a query in a stereotype audit, or scores
 * an image by one digit.
 */
export type ChatTask = JudgingTask | "rubric" | "refinement" | "score";
