import type { JsonObject } from "../../core/json.js";
import type { StudyItem } from "../study.js";
import type { KeptAnswer } from "../tables/counted-answers.js";

/** A text to be coded: what somebody wrote or said about a query, or about a model's images of it. */
export interface Passage {
  readonly passage: string;
  readonly participant: string;
  readonly query: string;
  /** Empty where it is about no model's images. Coders don't see it. */
  readonly model: string;
  /** The letter under which the participant saw the model's images; empty where it is about none. */
  readonly images: string;
  /** The question, such as "expectation" or "stereotypes". */
  readonly part: string;
  readonly text: string;
}

/** The passages of a study's answers: expectations, comments by model, reasons and notes. */
export function passagesOf(answers: readonly KeptAnswer[]): readonly Passage[] {
  return answers.flatMap(({ block, item, kind, participant, answer, note }) => {
    if (kind !== "item") return [];
    const about = {
      participant,
      query: queryOf(item),
      id: `${block}/${item.id}/${participant}`,
    };
    return [
      ...passage(about, { part: "expectation", text: answer?.words }),
      ...passage(about, { part: "why", text: answer?.why }),
      ...passage(about, { part: "note", text: note }),
      ...Object.entries(objectOf(answer?.comments)).flatMap(([model, comments]) => {
        const images = letterOf(model, answer);
        return Object.entries(objectOf(comments)).flatMap(([part, own]) =>
          passage(about, { model, images, part, text: own }),
        );
      }),
    ];
  });
}

/** The letter of a model's images: its place in the order in which they were shown. */
function letterOf(model: string, answer: JsonObject | null): string {
  const order = Array.isArray(answer?.order) ? answer.order : [];
  const at = order.indexOf(model);
  return at < 0 ? "" : String.fromCharCode(65 + at);
}

/** Subject of an item, in words. */
export const queryOf = ({ id, content: { query, caption, text } }: StudyItem): string =>
  String(query ?? caption ?? text ?? id);

function passage(
  { participant, query, id }: { participant: string; query: string; id: string },
  {
    model = "",
    images = "",
    part,
    text,
  }: { model?: string; images?: string; part: string; text: unknown },
): Passage[] {
  if (typeof text !== "string" || text.trim() === "") return [];
  const name = [id, images, part].filter((word) => word !== "").join("/");
  return [{ passage: name, participant, query, model, images, part, text: text.trim() }];
}

const objectOf = (value: unknown): JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
