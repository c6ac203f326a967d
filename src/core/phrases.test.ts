import { describe, expect, it } from "vitest";
import { withArticles } from "./phrases.js";

describe("withArticles", () => {
  it.each([
    ["a e-scooter", "an e-scooter"],
    ["A octopus", "An octopus"],
    ["an unicycle", "a unicycle"],
    ["a uneducated person", "an uneducated person"],
    ["a honest person", "an honest person"],
    ["an horse", "a horse"],
    ["an honey dipper", "a honey dipper"],
    ["an Ukrainian person", "a Ukrainian person"],
    ["an user of a Uzbek app", "a user of an Uzbek app"],
    ["a unimportant person", "an unimportant person"],
    ["a HR manager and an CEO", "an HR manager and a CEO"],
    ["a LGBTQ+ person", "an LGBTQ+ person"],
    ["an dog is to the left of a tree", "a dog is to the left of a tree"],
  ])("%s -> %s", (text, expected) => expect(withArticles(text)).toBe(expected));

  it("leaves words alone that only end like an article", () => {
    expect(withArticles("a sofa on a banana island")).toBe("a sofa on a banana island");
    expect(withArticles("a gorilla eats")).toBe("a gorilla eats");
  });
});
