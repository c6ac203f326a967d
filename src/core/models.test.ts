import { expect, test } from "vitest";
import { modelFacts, withoutCredentials } from "./models.js";

test.each([
  ["https://me:secret@host:8000/v1", "https://host:8000/v1"],
  ["https://secret@host/v1", "https://host/v1"],
  ["https://host/v1?key=secret", "https://host/v1"],
  ["https://host/v1#secret", "https://host/v1"],
  ["https://host?key=secret@else", "https://host"],
  ["me:secret@host/v1", "host/v1"],
  ["https://me:sec@ret@host/v1", "https://host/v1"],
  ["https://host/@team/v1", "https://host/@team/v1"],
  ["http://localhost:11434/v1", "http://localhost:11434/v1"],
])("no credentials are left of %s", (address, kept) => {
  expect(withoutCredentials(address)).toBe(kept);
  expect(modelFacts({ provider: "p", model: "m", baseUrl: address })).toEqual({
    model: "p:m",
    baseUrl: kept,
  });
});
