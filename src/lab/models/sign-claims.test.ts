import { expect, test } from "vitest";
import { groups, signKinds } from "../world/people.js";
import { personPhrase, signPhrase } from "../world/people-english.js";
import { statementQuestion } from "../world/questions.js";
import { signClaims } from "./sign-claims.js";

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
