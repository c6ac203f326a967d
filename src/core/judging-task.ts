/** Kind of decision of a judge: which of two images is better, yes or no, or a rating of one image. */
export const judgingTasks = ["pair", "yes-no", "rating"] as const;
export type JudgingTask = (typeof judgingTasks)[number];

/**
 * And what else a chat model does: answers a rubric or rewrites a query in a stereotype audit, or scores
 * an image by one digit.
 */
export type ChatTask = JudgingTask | "rubric" | "refinement" | "score";

/** How a table of a task says what is judged. */
export interface TaskTable {
  /** The word for one of its items. */
  readonly item: string;
  readonly images: readonly string[];
  /** The names under which it may have the text, the first of which is its own. */
  readonly texts: readonly [string, ...string[]];
  /** The column of what people said. */
  readonly label: string;
  /** Column that tells items that resemble each other: their text or their image. */
  readonly groupedBy: "text" | "image";
  /** The columns in a sentence. */
  readonly columns: string;
}

/** The column of a queue that says that nobody looked at confidence before putting the row there. */
export const drawnColumn = "drawn";

/** Tables of labels, and the same without what people said, by task. */
export const taskTables: Readonly<Record<JudgingTask, TaskTable>> = {
  pair: {
    item: "pair",
    images: ["image_a", "image_b"],
    texts: ["caption", "prompt", "text"],
    label: "preferred",
    groupedBy: "text",
    columns: "id, caption, image_a, image_b",
  },
  "yes-no": {
    item: "question",
    images: ["image"],
    texts: ["question"],
    label: "answer",
    groupedBy: "image",
    columns: "image, question",
  },
  rating: {
    item: "image",
    images: ["image"],
    texts: ["text", "caption", "prompt"],
    label: "rating",
    groupedBy: "text",
    columns: "image, text",
  },
};

/** Word for what items that resemble each other have in common. @example "caption" */
export const sharedOf = (task: JudgingTask): string => {
  const { groupedBy, texts } = taskTables[task];
  return groupedBy === "image" ? "image" : texts[0];
};
