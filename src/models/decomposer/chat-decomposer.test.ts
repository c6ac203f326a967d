import { expect, test } from "vitest";
import { scriptedChat } from "../../testing/fake-models.js";
import { chatDecomposer } from "./chat-decomposer.js";

const text = "A young woman in a striped red skirt and a dotted jacket";
const right = {
  entities: [
    { entity: "woman", attributes: ["young"] },
    { entity: "skirt", attributes: ["striped", "red"] },
    { entity: "jacket", attributes: ["dotted"] },
  ],
};

test("a structure that the text bears out is taken, asked for in our words", async () => {
  const { model, asked } = scriptedChat(JSON.stringify(right));
  expect(await chatDecomposer({ model }).decompose(text)).toEqual(right.entities);
  const [instruction, question] = asked[0]?.messages ?? [];
  expect(instruction?.role).toBe("system");
  expect(question?.parts).toEqual([
    { type: "text", text: expect.stringContaining(`Description: "${text}"`) },
  ]);
});

test("the name says by which instructions, since others bring other answers", () => {
  const { model } = scriptedChat();
  const named = (revision?: string) =>
    chatDecomposer({
      model: {
        ...model,
        identity: { provider: "test", model: "parrot", ...(revision && { revision }) },
      },
    }).identity;
  const state = expect.stringMatching(/^instructions-[0-9a-f]{8}$/);
  expect(named()).toEqual({ provider: "test", model: "parrot", revision: state });
  expect(named("2").revision).toBe(`2+${named().revision}`);
});

test.each([
  ["an entity that is not in the text", { entity: "trousers", attributes: [] }, "trousers"],
  ["an attribute that is not", { entity: "skirt", attributes: ["blue"] }, "blue"],
  ["part of a word", { entity: "ski", attributes: [] }, "ski"],
  ["nothing as a name", { entity: " ", attributes: [] }, " "],
])("%s is shown to the model, which may answer once more", async (_, wrong, named) => {
  const first = JSON.stringify({ entities: [wrong] });
  const { model, asked } = scriptedChat(first, JSON.stringify(right));
  expect(await chatDecomposer({ model }).decompose(text)).toEqual(right.entities);
  const repair = asked[1]?.messages.at(-1)?.parts;
  expect(JSON.stringify(repair)).toContain(
    JSON.stringify(`"${named}" does not stand in the description`).slice(1, -1),
  );
  const stubborn = scriptedChat(first, first).model;
  await expect(chatDecomposer({ model: stubborn }).decompose(text)).rejects.toMatchObject({
    reason: "unparsable",
  });
});

test("no entity at all is no answer", async () => {
  const { model } = scriptedChat('{"entities": []}', '{"entities": []}');
  await expect(chatDecomposer({ model }).decompose(text)).rejects.toMatchObject({
    reason: "unparsable",
  });
});

test("an entity over and over is no answer: each would be asked about", async () => {
  const said = JSON.stringify({ entities: Array(13).fill(right.entities[0]) });
  const { model } = scriptedChat(said, said);
  await expect(chatDecomposer({ model }).decompose(text)).rejects.toMatchObject({
    reason: "unparsable",
    message: expect.stringMatching(/\b12\b/),
  });
});
