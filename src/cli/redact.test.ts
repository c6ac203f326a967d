import { expect, it } from "vitest";
import { redact } from "./redact.js";

const variables = {
  OPENAI_API_KEY: "sk-abcdef",
  LONGER_TOKEN: "sk-abcdef-and-more",
  SHORT_KEY: "1",
  EMPTY_KEY: "",
  PLACE: "somewhere else",
};

it("names a secret in place of its value, the longer one first", () => {
  expect(redact("with sk-abcdef-and-more and sk-abcdef in somewhere else", variables)).toBe(
    "with [LONGER_TOKEN] and [OPENAI_API_KEY] in somewhere else",
  );
});

it("leaves a text alone that holds none", () => {
  expect(redact("1 of 10 images", variables)).toBe("1 of 10 images");
});
