import { append } from "../../../core/append.js";
import type { JsonObject } from "../../../core/json.js";
import type { StudyItem } from "../../study.js";
import { besideText, requiredBeside } from "../beside-text.js";
import { byItem, mean } from "../by-item.js";
import type { AnswerTable, CountedAnswer, TableCell } from "../protocol.js";

type Preferred = "a" | "b" | "tie";

/** Which side of the item; undecided counts as a tie. */
export function preferredOf(answer: JsonObject): Preferred | null {
  const { preferred } = answer;
  if (preferred === "a" || preferred === "b") return preferred;
  return preferred === "tie" || preferred === "undecided" ? "tie" : null;
}

/** Tables of a pair's answers. */
export const pairTables = { preferences, calibrate, compare };

/** One row an answer: the model shown first is `a`, as `analyze preferences` wants it. */
function preferences(answers: readonly CountedAnswer[]): AnswerTable {
  return answers.flatMap(({ item, answer, participant, swapped }) => {
    const preferred = answer === null ? null : preferredOf(answer);
    if (preferred === null) return [];
    const [a, b] = [modelOf(item, "a"), modelOf(item, "b")];
    const isFirst = preferred === (swapped ? "b" : "a");
    return [
      {
        id: item.id,
        a: swapped ? b : a,
        b: swapped ? a : b,
        preferred: preferred === "tie" ? "tie" : isFirst ? "a" : "b",
        prompt: promptOf(item),
        annotator: participant,
      },
    ];
  });
}

/** One row a pair with what most people preferred, as `calibrate` takes labels; a tie is a tie. */
function calibrate(answers: readonly CountedAnswer[]): AnswerTable {
  return byItem(answers).flatMap(({ item, answers: own }) => {
    if (item.images.length !== 2) return [];
    const votes = votesOf(own);
    if (votes.length === 0) return [];
    const balance = votes.reduce(
      (sum, vote) => sum + (vote === "a" ? 1 : vote === "b" ? -1 : 0),
      0,
    );
    return [
      {
        id: item.id,
        caption: typeof item.content.caption === "string" ? item.content.caption : null,
        image_a: item.sources[0] ?? null,
        image_b: item.sources[1] ?? null,
        preferred: balance > 0 ? "a" : balance < 0 ? "b" : "tie",
        votes: votes.length,
      },
    ];
  });
}

/** One row a model and prompt: the share of comparisons that it won, a tie half. */
function compare(answers: readonly CountedAnswer[]): AnswerTable {
  const rows = new Map<
    string,
    { model: string; prompt: string; item: StudyItem; wins: number[] }
  >();
  for (const { item, answers: own } of byItem(answers)) {
    for (const side of ["a", "b"] as const) {
      const model = modelOf(item, side);
      const prompt = promptOf(item);
      const key = JSON.stringify([model, prompt]);
      const row = rows.get(key) ?? { model, prompt, item, wins: [] };
      rows.set(key, row);
      append(
        row.wins,
        votesOf(own).map((vote) => (vote === "tie" ? 0.5 : vote === side ? 1 : 0)),
      );
    }
  }
  return [...rows.values()].map(({ model, prompt, wins }): Record<string, TableCell> => {
    const share = mean(wins);
    return { model, prompt, score: share, human: share, comparisons: wins.length };
  });
}

const votesOf = (answers: readonly CountedAnswer[]): Preferred[] =>
  answers.flatMap(({ answer }) => (answer === null ? [] : (preferredOf(answer) ?? [])));

const promptOf = (item: StudyItem): string =>
  besideText(item, "prompt") ??
  (typeof item.content.caption === "string" ? item.content.caption : item.id);

const modelOf = (item: StudyItem, side: "a" | "b"): string => requiredBeside(item, `model_${side}`);
