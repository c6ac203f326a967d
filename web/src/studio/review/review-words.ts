import type { JudgingTask } from "../../../../src/core/judging-task.js";

export const questionText: Readonly<Record<JudgingTask, string>> = {
  pair: "Which image fits better?",
  "yes-no": "Yes or no?",
  rating: "How well does the image fit?",
};

/** The key and the words of an answer. */
export function choiceText(task: JudgingTask, choice: string | number, choices: number) {
  const words: Readonly<Record<string, readonly [key: string, text: string]>> = {
    a: ["a", "A, the left one"],
    b: ["b", "B, the right one"],
    tie: ["t", "Neither: a tie"],
    yes: ["y", "Yes"],
    no: ["n", "No"],
  };
  const [key, text] = words[choice] ?? [String(choice), String(choice)];
  if (task !== "rating") return { key, text };
  const end = choice === 1 ? " worst" : choice === choices ? " best" : "";
  return { key, text: `${text}${end}` };
}
