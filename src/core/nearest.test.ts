import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearest } from "./nearest.js";

describe("nearest", () => {
  it.each([
    ["metrc", ["model", "metric"], "metric"],
    ["docter", ["demo", "doctor"], "doctor"],
    ["sedd", ["seed", "send"], "seed"],
    ["openai", ["anthropic", "openai-compatible"], "openai-compatible"],
    ["esed", ["seed"], "seed"],
    ["CLIP-SCORE", ["clip-score", "vqa-score"], "clip-score"],
  ])("finds what %s meant", (word, candidates, expected) => {
    expect(nearest(word, candidates)).toBe(expected);
  });

  it("keeps silent where nothing is near", () => {
    expect(nearest("banana", ["metric", "model"])).toBeUndefined();
    expect(nearest("a", ["b", "c"])).toBeUndefined();
    expect(nearest("", ["a"])).toBeUndefined();
    expect(nearest("word", [])).toBeUndefined();
  });

  it("finds a word itself, whatever the others", () => {
    const word = fc.string({ minLength: 1 });
    fc.assert(
      fc.property(word, fc.array(word), (meant, others) => {
        const found = nearest(meant, [...others, meant]);
        expect(found?.toLowerCase()).toBe(meant.toLowerCase());
      }),
    );
  });

  it("finds a long word after any one letter is lost", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4 }), fc.nat(), (meant, at) => {
        const place = at % meant.length;
        const lost = meant.slice(0, place) + meant.slice(place + 1);
        expect(nearest(lost, [meant])).toBe(meant);
      }),
    );
  });
});
