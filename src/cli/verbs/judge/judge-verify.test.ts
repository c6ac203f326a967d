import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { pairServer } from "../../../../test/support/pair-server.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { touchstoneHere } from "../../../../test/support/touchstone-here.js";
import { openedJudge, sealedJudge } from "../../../judges/judge-artefact.js";

/** A judge of two prompts and forty anchors, whose server can be turned to say the opposite. */
async function calibrated() {
  const directory = await temporaryDirectory();
  let calls = 0;
  let turnsAfter = Number.POSITIVE_INFINITY;
  const { server } = await pairServer({
    directory,
    labels: 60,
    others: 4,
    errs: 0.2,
    isTurned: () => calls++ >= turnsAfter,
  });
  const run = (...words: readonly string[]) =>
    touchstoneHere(words, {
      variables: { OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: "sk-0123456789abcdef" },
      workingDirectory: directory,
    });
  const model = ["--model", "openai-compatible:tiny", "--prompts", "2", "--target-error", "0.2"];
  expect((await run("calibrate", "labels.jsonl", ...model)).code).toBe(0);
  const verify = async () => {
    const { code, stdout, stderr } = await run("judge", "verify", "judge.json", "--json");
    return { code, stderr, found: JSON.parse(stdout || "{}") };
  };
  return {
    directory,
    run,
    verify,
    calls: () => calls,
    turnAfter: (more: number) => {
      turnsAfter = calls + more;
    },
  };
}

test("a server that changes its answers in the middle of a week is found, and judge --verify stops", async () => {
  const { directory, run, verify, calls, turnAfter } = await calibrated();
  const before = calls();
  const first = await verify();
  expect(first).toMatchObject({
    code: 0,
    found: {
      anchors: 40,
      asked: 40,
      flipped: 0,
      changed: 0,
      p: 1,
      shift: { value: 0 },
      drifted: false,
    },
  });
  // Twice by two prompts, of no reply that was kept.
  expect(calls() - before).toBe(160);
  expect(await verify()).toMatchObject({ code: 0, found: { drifted: false } });
  expect(calls() - before).toBe(240);
  turnAfter(40);
  const drifted = await verify();
  expect(drifted).toMatchObject({ code: 4, found: { asked: 40, drifted: true } });
  expect(drifted.found.e).toBeGreaterThan(20);
  const judged = await run("judge", "pairs.jsonl", "--threshold", "0.6", "--verify");
  expect(judged.code).toBe(4);
  await expect(readFile(join(directory, "results.jsonl"))).rejects.toThrow();
  // Once found it stays found, though the server is as it was.
  turnAfter(Number.POSITIVE_INFINITY);
  expect(await verify()).toMatchObject({ code: 4, found: { flipped: 0, drifted: true } });
});

test("a judge saved before anchors were kept goes on, and verify says what is missing", async () => {
  const { directory, run, verify } = await calibrated();
  const path = join(directory, "judge.json");
  const { anchors, lock, ...old } = openedJudge(await readFile(path, "utf8"), "judge.json");
  expect(anchors).toHaveLength(40);
  expect(lock?.prompts).toMatch(/^[0-9a-f]{64}$/);
  await writeFile(path, sealedJudge(old));
  expect((await run("judge", "pairs.jsonl", "--threshold", "0.6")).code).toBe(0);
  const { code, stderr } = await verify();
  expect(code).toBe(2);
  expect(stderr).toContain("Expected anchors");
});

test("an anchor's image that was changed is refused before anything is asked", async () => {
  const { directory, verify, calls } = await calibrated();
  const judge = openedJudge(await readFile(join(directory, "judge.json"), "utf8"), "judge.json");
  const [one, other] = judge.anchors?.[0]?.images ?? [];
  await writeFile(
    join(directory, one?.file ?? ""),
    await readFile(join(directory, other?.file ?? "")),
  );
  const before = calls();
  const { code, stderr } = await verify();
  expect(code).toBe(2);
  expect(stderr).toContain("was changed");
  expect(calls()).toBe(before);
});
