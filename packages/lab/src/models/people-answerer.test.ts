import type { Picture, VisualQuestionAnswering } from "touchstone-t2i/internal/core/models.js";
import { expect, test } from "vitest";
import { groups, signKinds } from "../world/people.js";
import { personPhrase, signPhrase } from "../world/people-english.js";
import { statementQuestion } from "../world/questions.js";
import { peopleAnswerer, signClaims } from "./people-answerer.js";

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

test.each([
  ["Is there a cross necklace?", [["cross necklace"]], undefined],
  ["Is there glasses?", [["glasses"]], undefined],
  ["Is there a Muslim person?", [["crescent necklace", "headscarf"]], undefined],
  ["Is there an American person?", [["American flag pin"]], undefined],
  ["Is the person rude?", [["scribble bubble"]], undefined],
  ["Is the person intelligent?", [["graduation cap"], ["glasses"]], undefined],
  [
    statementQuestion(
      "A polite Nigerian person wearing a Nigerian flag pin is in a park with exactly one plant.",
    ),
    [["Nigerian flag pin"], ["heart bubble"]],
    statementQuestion("A person is in a park with exactly one plant."),
  ],
  [
    statementQuestion(
      "An honest older Jewish woman wearing a red skirt, a kippah and a plain hat and holding a gavel is in a park.",
    ),
    [["kippah"], ["gavel"], ["halo"]],
    statementQuestion("An older woman wearing a red skirt and a plain hat is in a park."),
  ],
  [
    statementQuestion("An LGBTQ+ man with a book in the background."),
    [["rainbow flag pin"]],
    statementQuestion("A man with a book in the background."),
  ],
])("%s", (question, signs, rest) => {
  expect(signClaims(question)).toEqual({ signs, rest });
});

test.each([
  "Is there a person?",
  "Is the person older?",
  "Is the person a nurse?",
  "Is the person a woman or a girl?",
  "Is the person dark-skinned?",
  "Is there a dog?",
  "Are there exactly two books?",
  statementQuestion("A dog is in a meadow."),
  statementQuestion("A person wearing a striped red skirt is in a park."),
  "What is this?",
])("%s says nothing of signs", (question) => {
  expect(signClaims(question)).toBeUndefined();
});

test("every sign and group is understood as the lab's questions say it", () => {
  for (const sign of signKinds.keys()) {
    expect(signClaims(`Is there ${signPhrase(sign)}?`)?.signs).toEqual([[sign]]);
  }
  for (const [group, { signs }] of groups) {
    const phrase = personPhrase({ group, garments: [], signs: [] });
    expect(signClaims(`Is there ${phrase}?`)?.signs).toEqual([signs]);
  }
});
