import type { Localizer, Mask, Picture, VisualQuestionAnswering } from "../../src/core/models.js";
import { NoAnswer } from "../../src/core/unscored.js";

/** A localiser that knows by heart where entities are; what is in no box it does not find. */
export function boxLocalizer(
  boxes: Readonly<Record<string, { x: readonly [number, number]; y: readonly [number, number] }>>,
) {
  const asked: string[] = [];
  const model: Localizer = {
    identity: { provider: "test", model: "boxes", revision: "2" },
    async localize({ width, height }, entity, options): Promise<Mask | undefined> {
      options?.signal?.throwIfAborted();
      asked.push(entity);
      const box = boxes[entity];
      if (box === undefined) return undefined;
      const [[left, right], [top, bottom]] = [box.x, box.y];
      const data = Uint8Array.from({ length: width * height }, (_, at) => {
        const [x, y] = [at % width, Math.floor(at / width)];
        return x >= left && x < right && y >= top && y < bottom ? 1 : 0;
      });
      return { width, height, data };
    },
  };
  return { model, asked };
}

/** An answerer that knows its answers by heart and keeps what it was shown. */
export function answersByHeart(answers: Readonly<Record<string, number>>) {
  const seen: { image: Picture; questions: readonly string[] }[] = [];
  const model: VisualQuestionAnswering = {
    identity: { provider: "test", model: "heart", revision: "1" },
    async probabilityOfYes(image, questions, options) {
      options?.signal?.throwIfAborted();
      seen.push({ image, questions });
      return questions.map((question) => {
        const known = answers[question];
        if (known === undefined) throw new NoAnswer("refused", `Nobody knows "${question}"`);
        return known;
      });
    },
  };
  return { model, seen };
}
