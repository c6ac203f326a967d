import { NoAnswer } from "../../core/unscored.js";

/** Waits for an answer; undefined where the model has none. Other errors are passed on. */
export async function answerOrNone<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  }
}
