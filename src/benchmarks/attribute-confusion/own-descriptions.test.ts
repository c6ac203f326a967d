import { expect, test } from "vitest";
import { z } from "zod";
import { InputError } from "../../core/errors.js";
import { buildDescriptions } from "./build-descriptions.js";
import { ownDescriptionsSchema, readOwnDescriptions } from "./own-descriptions.js";

const rooms = `set: rooms
frames:
  room: "A room with {list}."
plural: [curtains]
descriptions:
  - entities: { sofa: green velvet, curtains: [light blue, striped] }
  - { frame: room, entities: { lamp: red, rug: white, armchair: yellow } }
`;

const read = (text: string) => readOwnDescriptions({ file: "rooms.yaml", text });

test("descriptions of one's own are said in words, and once more swapped", async () => {
  const step = buildDescriptions({ seed: 0, own: read(rooms) });
  const made = [];
  for await (const about of step.plan({ async *ofType() {} })) {
    made.push({ ...about, ...(await step.perform(about, {} as never)) });
  }
  expect(made).toMatchObject([
    {
      set: "rooms",
      text: "A room with a green velvet sofa and light blue striped curtains.",
      swapped: "A room with a light blue striped sofa and green velvet curtains.",
    },
    {
      text: "A room with a red lamp, a white rug and a yellow armchair.",
      swapped: "A room with a white lamp, a yellow rug and a red armchair.",
    },
  ]);
  expect(made[0]?.entities[1]).toEqual({
    entity: "curtains",
    attributes: ["light blue", "striped"],
  });
  expect(step.parameters).toMatchObject({ sets: ["rooms"], descriptions: expect.any(String) });
});

test.each([
  [
    "frame: room",
    "frame: hall",
    'line 7: descriptions.1: there is no frame "hall"; there are room',
  ],
  [
    "lamp: red, rug: white, armchair: yellow",
    "lamp: red",
    "line 7: descriptions.1: expected two entities or more",
  ],
  [
    "rug: white",
    "rug: red",
    'line 7: descriptions.1: "red" is of lamp and of rug; swapped, nobody could tell',
  ],
  ["with {list}", "with things", "line 3: frames.room: expected {list} or {List}"],
  ["lamp: red", 'lamp: ""', "line 7: descriptions.1.entities.lamp"],
])("%s -> %s is said with its line", (from, to, problem) => {
  try {
    read(rooms.replace(from, to));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    expect(error.problems).toContainEqual(expect.stringContaining(problem));
    return;
  }
  throw new Error("Expected a refusal");
});

test("data/descriptions.schema.json is what the schema says (after a change: npx vitest run src/benchmarks/attribute-confusion -u)", async () => {
  const schema = z.toJSONSchema(ownDescriptionsSchema, { io: "input" });
  await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(
    "../../../data/descriptions.schema.json",
  );
});
