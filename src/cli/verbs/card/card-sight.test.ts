import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { completion, misbehavingServer } from "../../../../test/support/misbehaving-server.js";
import { sightAnswer } from "../../../../test/support/sight-answers.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { touchstoneHere } from "../../../../test/support/touchstone-here.js";

const model = "openai-compatible:tiny";
const few = ["--pictures", "2", "--resamples", "100", "--json"];

/** A server that answers the sight check as one that sees does, or without looking. */
async function serverThat(sees: boolean) {
  const workingDirectory = await temporaryDirectory();
  const server = await misbehavingServer({
    sees: (body) => (sees ? sightAnswer(body) : "grey, grey, red, grey"),
    behave: () => ({
      kind: "reply",
      json: completion({ probabilities: { Yes: 0.9, No: 0.1, A: 0.6, B: 0.4 } }),
    }),
  });
  const variables = {
    OPENAI_BASE_URL: server.baseUrl,
    OPENAI_API_KEY: "sk-0123456789abcdef",
    XDG_CACHE_HOME: join(workingDirectory, "cache"),
  };
  return {
    server,
    workingDirectory,
    run: (...words: readonly string[]) =>
      touchstoneHere(["card", ...words, ...few], { variables, workingDirectory }),
  };
}

test.each([
  ["a metric", ["--metric", "vqa-score", "--model", model], 4],
  ["a judge of pairs", ["--judge", model, "--wordings", "1"], 0],
] as const)("%s is asked by a card only of a model that sees", async (_, words, looks) => {
  const blind = await serverThat(false);
  const refused = await blind.run(...words);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("does not see the images");
  expect(blind.server.received.length).toBe(0);

  const allowed = await blind.run(...words, "--allow-blind");
  expect(allowed.code).toBe(0);
  const marked = JSON.parse(allowed.stdout);
  expect(marked.sanity.models[model].sight.state).toBe("blind");
  expect(marked.cards[0].warnings[0]).toContain(`${model} does not see`);

  const { server, workingDirectory, run } = await serverThat(true);
  const seen = JSON.parse((await run(...words, "--run", "kept")).stdout);
  // Four images of stripes, and four discs of each of seven sizes.
  expect(server.sights.length).toBe(4 + 28);
  expect(seen.sanity.models[model].acuity).toEqual({ pixels: 4, of: 1024 });
  expect(seen.sanity.models[model].sight).toMatchObject({ state: "sees", right: 16, of: 16 });
  const told = `${model} sees images (16 of 16), details down to 4 of 1,024 pixels.`;
  expect(seen.cards[0].notes).toContain(told);

  // All answers are kept, so that nothing is asked.
  const asked = server.received.length;
  const again = JSON.parse((await run(...words, "--run", "kept")).stdout);
  expect([server.sights.length, server.received.length]).toEqual([32, asked]);
  expect(again.cards[0].notes).toContain(told);

  // Where a kill left a row open, sight is looked at again, where no cache has it, and acuity is not.
  const rows = join(workingDirectory, "kept", "card-scores.jsonl");
  const lines = (await readFile(rows, "utf8")).trimEnd().split("\n");
  await writeFile(
    rows,
    lines
      .slice(0, -1)
      .map((line) => `${line}\n`)
      .join(""),
  );
  const resumed = JSON.parse((await run(...words, "--run", "kept")).stdout);
  expect(server.sights.length).toBe(32 + looks);
  expect(resumed.cards[0].notes).toContain(told);

  const without = JSON.parse((await run(...words, "--no-sanity")).stdout);
  expect(server.sights.length).toBe(32 + looks);
  expect(without.sanity.models[model].sight.state).toBe("skipped");
  expect(without.cards[0].warnings[0]).toContain("not checked");
});
