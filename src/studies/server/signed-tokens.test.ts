import { expect, test } from "vitest";
import { isSame, proofOf, Tokens } from "./signed-tokens.js";
import { Attempts } from "./study-app.js";

const tokens = new Tokens("ab".repeat(32));
const others = new Tokens("cd".repeat(32));

test("what a study signs no other study takes, and what is changed nobody does", () => {
  const session = tokens.newSession({ outside: { source: "prolific", id: "w" } });
  const sealed = tokens.sealed(session);
  expect(tokens.opened(sealed)).toEqual(session);
  expect(others.opened(sealed)).toBeUndefined();
  for (let at = 0; at < sealed.length; at++) {
    const changed = `${sealed.slice(0, at)}${sealed[at] === "A" ? "B" : "A"}${sealed.slice(at + 1)}`;
    // The last letter of base64 has bits that mean nothing.
    if (at < sealed.length - 1) expect(tokens.opened(changed), String(at)).toBeUndefined();
  }
  const invitation = tokens.newInvitation();
  expect([tokens.isInvitation(invitation), others.isInvitation(invitation)]).toEqual([true, false]);
  const link = tokens.linkBack("p-abcdefghij");
  expect([tokens.participantOf(link), others.participantOf(link)]).toEqual([
    "p-abcdefghij",
    undefined,
  ]);
  // One kind of signature is none of another kind.
  expect(tokens.participantOf(invitation)).toBeUndefined();
  expect(tokens.isInvitation(link)).toBe(false);
  const outside = { source: "prolific", id: "w" };
  expect(tokens.isSigned(outside, tokens.signatureOf(outside))).toBe(true);
  expect(tokens.isSigned({ ...outside, id: "x" }, tokens.signatureOf(outside))).toBe(false);
});

test("sessions and names are 128 bits that do not repeat", () => {
  const sessions = Array.from({ length: 1000 }, () => tokens.newSession({}));
  expect(new Set(sessions.map(({ bits }) => bits)).size).toBe(1000);
  expect(Buffer.from(sessions[0]?.bits ?? "", "base64url")).toHaveLength(16);
  // Docs and other programs know pseudonyms as p- and letters.
  for (const { participant } of sessions) expect(participant).toMatch(/^p-[a-z]{10}$/);
  expect(proofOf("a")).not.toBe(proofOf("b"));
  expect([isSame("ab", "ab"), isSame("ab", "ac"), isSame("ab", "abc")]).toEqual([
    true,
    false,
    false,
  ]);
});

test("failures are counted by who failed, and forgotten with time", () => {
  const attempts = new Attempts({ most: 2, windowMilliseconds: 1_000 });
  attempts.fail("a", 0);
  expect(attempts.isBlocked("a", 1)).toBe(false);
  attempts.fail("a", 1);
  expect(attempts.isBlocked("a", 2)).toBe(true);
  expect(attempts.isBlocked("b", 2)).toBe(false);
  expect(attempts.isBlocked("a", 1_001)).toBe(false);
});
