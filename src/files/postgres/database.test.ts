import dns from "node:dns";
import { expect, test, vi } from "vitest";
import { openStore } from "../open-store.js";

test.each([
  ["ENOTFOUND", "input", /No server has this name here/],
  ["EAI_AGAIN", "store", /Is PostgreSQL running there/],
])("a server whose name gives %s is an error of kind %s", async (code, kind, hint) => {
  const failure = Object.assign(new Error(`getaddrinfo ${code} db.example`), { code });
  const lookup = vi.spyOn(dns, "lookup").mockImplementation((...given: unknown[]) => {
    const done = given.at(-1);
    if (typeof done === "function") done(failure);
  });
  const opening = openStore(`postgres://me:secret@db.example/touchstone-${code}/run`);
  const error = await opening.catch((thrown: unknown) => thrown);
  lookup.mockRestore();
  expect(error).toMatchObject({ code: kind, hint: expect.stringMatching(hint) });
  expect(String(error)).toContain("postgres://me@db.example/");
  expect(String(error)).not.toContain("secret");
});
