import { expect, test } from "vitest";
import type { Picture, VisualQuestionAnswering } from "../../core/models.js";
import { statementQuestion } from "../world/questions.js";
import { peopleAnswerer } from "./people-answerer.js";

const picture = {} as Picture;
const identity = { provider: "lab", model: "test" };

function answering(probability: number) {
  const asked: string[] = [];
  const model: VisualQuestionAnswering = {
    identity,
    async probabilityOfYes(_, questions) {
      asked.push(...questions);
      return questions.map(() => probability);
    },
  };
  return { model, asked };
}

const shown = new Map([
  ["crescent necklace", 0.5],
  ["headscarf", 0.2],
  ["heart bubble", 0.9],
]);

test("P(yes) is what the head says of signs times what is answered of the rest", async () => {
  const people = answering(0.8);
  const others = answering(0.1);
  const { probabilityOfYes } = peopleAnswerer({
    signs: async () => shown,
    people: people.model,
    others: others.model,
    identity: () => identity,
  });
  const answers = await probabilityOfYes(picture, [
    "Is there a Muslim person?",
    "Is the person polite?",
    statementQuestion("A polite person is in a park."),
    statementQuestion("A polite Muslim person."),
    "Is there a crown?",
    "Is the person older?",
    "Is there a dog?",
  ]);
  // Either sign shows the group: 1 - .5 x .8; a sign that the head has no word for is not shown.
  const expected = [0.6, 0.9, 0.9 * 0.8, 0.9 * 0.6, 0, 0.8, 0.1];
  expect(answers.map((one) => one.toFixed(6))).toEqual(expected.map((one) => one.toFixed(6)));
  expect(new Set(people.asked)).toEqual(
    new Set([statementQuestion("A person is in a park."), "Is the person older?"]),
  );
  expect(others.asked).toEqual(["Is there a dog?"]);
});
