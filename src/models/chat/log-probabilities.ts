import { NoAnswer } from "../../core/unscored.js";

/** Replies without the log-probabilities that were asked for, after which a model is asked for none. */
export const triesWithoutTokens = 3;

export const noLogProbabilities = (model: string, baseUrl: string) =>
  new NoAnswer(
    "not-applicable",
    `${model} at ${baseUrl} gives no log-probabilities of its tokens. Choose a model or server that ` +
      "does, or ask for sampled answers or a verbalized probability (yesNo in the settings; " +
      "calibrate --samples N)",
  );
