import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fakeEnvironment } from "../../../test/support/fake-environment.js";
import { generatedRun } from "../../../test/support/generated-run.js";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { runCommandLine } from "../../cli/main.js";
import { InputError } from "../../core/errors.js";
import { KeptForRun } from "../kept-for-run.js";
import type { RunView } from "../run-view.js";
import { studio } from "../studio.js";
import type { CardPage } from "./studio-cards.js";

async function shownCards() {
  const root = await temporaryDirectory();
  await generatedRun(join(root, "generated"), { images: 80, side: 16, metrics: 2 });
  const environment = fakeEnvironment({ workingDirectory: root });
  const code = await runCommandLine(["card", "generated", "--out", "card.json"], environment);
  expect(code, environment.written.stderr).toBe(0);
  const app = studio({ root, shown: "." });
  const get = async (query = "") => {
    const answer = await app.request(`http://localhost/api/cards${query}`);
    return { status: answer.status, body: (await answer.json()) as CardPage };
  };
  return { root, get };
}

test("a run's cards are those that card prints, to the last digit, and its file is shown as written", async () => {
  const { get } = await shownCards();
  const { body } = await get("?from=run:generated&from=file:card.json");
  const of = (source: string) => body.cards.filter(({ from }) => from === source);
  expect(of("generated")).toHaveLength(2);
  expect(of("generated").map(({ card }) => card)).toEqual(of("card.json").map(({ card }) => card));
  const { figures } = of("generated")[0]?.card ?? {};
  expect(figures?.prototypicality.estimate?.low).not.toBeNull();
  expect((await get()).body.sources).toEqual([
    { id: "file:card.json", name: "card.json", isShown: true },
    { id: "run:generated", name: "generated", isShown: false },
  ]);
});

test("what holds no cards is told with its name, and the others stay", async () => {
  const { root, get } = await shownCards();
  await writeFile(join(root, "broken.json"), '{"cards": [{"subject": {"name": 3}}]}');
  const { body } = await get("?from=file:broken.json&from=file:card.json");
  expect(body.cards).toHaveLength(2);
  expect(body.problems).toMatchObject([{ name: "broken.json" }]);
  expect(body.problems[0]?.message).toContain("cards.0.subject");
});

test("sources that the folder has not, and too many, are refused", async () => {
  const { get } = await shownCards();
  expect((await get("?from=file:..~secret.json")).status).toBe(404);
  expect((await get("?from=run:nothing")).status).toBe(404);
  expect((await get(`?${"from=run:generated&".repeat(9)}`)).status).toBe(400);
});

test("a run without scores says what it lacks, and which commands make its cards", async () => {
  const root = await temporaryDirectory();
  await generatedRun(join(root, "unscored"), { images: 8, side: 16, metrics: 0 });
  const answer = await studio({ root, shown: "." }).request("http://localhost/api/cards");
  expect(await answer.json()).toMatchObject({
    cards: [],
    problems: [
      {
        name: "unscored",
        message: "Expected a run with scores of a benchmark but unscored has none",
        hint: expect.stringContaining(
          "touchstone score unscored --metric …; then: touchstone card",
        ),
      },
    ],
  });
});

test("what a run lacks is worked out once until it has grown, a fault each time", async () => {
  const kept = new KeptForRun<never>();
  const index = { version: 1 };
  const view = { index } as unknown as RunView;
  let asked = 0;
  const of = (error: Error) =>
    kept.of(view, async () => {
      asked++;
      throw error;
    });
  const lack = new InputError("Expected scores");
  await expect(of(new Error("disk"))).rejects.toThrow("disk");
  const unread = new InputError("Could not read", { cause: new Error("EACCES") });
  await expect(of(unread)).rejects.toBe(unread);
  for (const _ of [1, 2, 3]) await expect(of(lack)).rejects.toBe(lack);
  expect(asked).toBe(3);
  index.version++;
  await expect(of(lack)).rejects.toBe(lack);
  expect(asked).toBe(4);
});
