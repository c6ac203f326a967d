/** What a judge decides: which of two images is better, yes or no, or a rating of one image. */
export const judgingTasks = ["pair", "yes-no", "rating"] as const;
export type JudgingTask = (typeof judgingTasks)[number];

/** And what a chat model does in a stereotype audit: answers a rubric, rewrites a query. */
export type ChatTask = JudgingTask | "rubric" | "refinement";
