import { expect, test } from "vitest";
import { chooseGenerator } from "./generator-choice.js";

const identityOf = (...words: Parameters<typeof chooseGenerator>) =>
  chooseGenerator(...words).generator.identity;

test("each of the lab's painters says its name and how often it errs", () => {
  expect(identityOf("lab:painter")).toMatchObject({ model: "painter", revision: "no-defects" });
  const revisions = ["a", "b", "c", "d", "e"].map((name) => {
    const { model, revision } = identityOf(`lab:painter-${name}`);
    expect(model).toBe(`painter-${name}`);
    return revision;
  });
  expect(new Set(revisions).size).toBe(5);
  expect(identityOf("lab:painter", "demo").revision).not.toContain("leak");
});

test.each(["lab:painter-f", "lab:painter-", "openai:gpt-image-1", ""])("%s is refused", (text) => {
  expect(() => chooseGenerator(text)).toThrow("Expected lab:painter, or lab:painter-a to -e");
});
