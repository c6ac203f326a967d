import { localizedRatios, localizedScore } from "../../../stats/localized-answers.js";
import type { ItemValue, PeopleMetric } from "../../people-metric/people-metric.js";
import { mean } from "../by-item.js";
import { localizersShown } from "./localizers-shown.js";

/**
 * People as the reference of attribute confusion: F1 of what most of them said of an image's
 * questions, with the details that a localised metric gives, and the localisers that chose what people
 * were shown. A question without a majority is in none.
 */
export const localizedMetric: PeopleMetric = {
  statistic: "F1 of majorities",
  range: () => [0, 1],
  score(answers, settings) {
    const questions = questionsOf(answers);
    const counts = { tp: 0, fp: 0, tn: 0, fn: 0 };
    for (const { kind, probability } of questions) {
      if (probability === 0.5) continue;
      const isYes = probability > 0.5;
      counts[kind === "reflection" ? (isYes ? "tp" : "fn") : isYes ? "fp" : "tn"] += 1;
    }
    const value = localizedScore("f1", counts);
    if (Number.isNaN(value)) return undefined;
    const ratio = (name: "precision" | "recall") => {
      const [above, below] = localizedRatios[name](counts);
      return below === 0 ? null : above / below;
    };
    return {
      value,
      details: {
        ...counts,
        precision: ratio("precision"),
        recall: ratio("recall"),
        f1: value,
        questions: questions.map((question) => ({ ...question })),
        localizers: [
          ...localizersShown(
            answers.map(({ item }) => item),
            settings,
          ),
        ],
      },
    };
  },
};

/** Each question with the share of yes among those who could tell. */
function questionsOf(answers: readonly ItemValue[]) {
  const byItem = new Map(answers.map(({ item }) => [item.id, item]));
  return [...byItem.values()].flatMap((item) => {
    const votes = answers.flatMap((one) =>
      one.item.id !== item.id || one.value === "cannot-tell" ? [] : [one.value === "yes" ? 1 : 0],
    );
    const probability = mean(votes);
    const { entity, attribute, kind } = item.content;
    if (probability === null || typeof kind !== "string") return [];
    return [{ entity: String(entity), attribute: String(attribute), kind, probability }];
  });
}
