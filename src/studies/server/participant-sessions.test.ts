import { expect, test } from "vitest";
import type { StudyChange } from "../home/study-change.js";
import { StudyDecisions } from "./participant-sessions.js";

/** A home in memory that counts how often all of it was read. */
function countedHome(stored: StudyChange[] = []) {
  let reads = 0;
  const home = {
    isShared: false,
    get reads() {
      return reads;
    },
    async changes(since: number) {
      if (since === 0) reads += 1;
      return { changes: since === 0 ? stored : [], upTo: 1 };
    },
    async turn(_: number, decide: (others: readonly StudyChange[]) => readonly StudyChange[]) {
      const changes = decide([]);
      if (changes.some(({ change }) => change === "closed")) throw new Error("The disk is full");
      stored.push(...changes);
      return 1;
    },
  };
  return home;
}

const removal = (at: number): StudyChange => ({
  change: "removed",
  removal: { at, reason: "declined", proofs: [`${at}`] },
});

test("what is stored is read once, by the first who looks; again only where a turn failed", async () => {
  const home = countedHome([removal(1)]);
  const decisions = new StudyDecisions(home);
  const count = () => decisions.state.removals.length;
  expect(await decisions.look(count)).toBe(1);
  await decisions.decide(() => decisions.write(removal(2)));
  expect(await decisions.look(count)).toBe(2);
  expect(home.reads).toBe(1);
  const failing = decisions.decide(() => decisions.write({ change: "closed", at: 3 }));
  await expect(failing).rejects.toThrow("The disk is full");
  expect(await decisions.look(() => [count(), decisions.state.closedAt])).toEqual([2, undefined]);
  expect(home.reads).toBe(2);
});
