import { join } from "node:path";
import { expect, test } from "vitest";
import { makeConfusionRun } from "../../../test/report/confusion-run.js";
import { temporaryDirectory } from "../../../test/support/temporary-directory.js";
import { type Hash, hashOf } from "../../core/keys.js";
import type { VisualQuestionAnswering } from "../../core/models.js";
import { maskRuns } from "../../images/mask-runs.js";
import { openPicture } from "../../images/picture.js";
import { lookAtEntity } from "../../metrics/localized-vqa-score.js";
import type { Explained, ItemDetail, ItemPage, RunDetail } from "../api.js";
import { studio } from "../studio.js";

test("what a localised metric was shown is handed out as the very picture that its model was asked about", async () => {
  const root = await temporaryDirectory();
  await makeConfusionRun(join(root, "run"), { count: 1, painters: ["a"] });
  const app = studio({ root });
  const get = (path: string) => app.request(`http://localhost/api/runs/run${path}`);
  const json = async <Answer>(path: string): Promise<Answer> =>
    (await get(path)).json() as Promise<Answer>;
  const { items } = await json<ItemPage>("/items?limit=10");
  const { columns } = await json<RunDetail>("");
  const strategies = new Set<string>();
  for (const { key, image } of items) {
    const { keys } = await json<ItemDetail>(`/items/${key}`);
    const whole = await openPicture(
      new Uint8Array(await (await get(`/images/${image}`)).arrayBuffer()),
      key,
    );
    for (const [column, score] of Object.entries(keys)) {
      const { looks } = await json<Explained>(`/records/${score}`);
      const { metric } = columns.find(({ id }) => id === column) ?? {};
      expect(looks !== null).toBe(metric === "localized-vqa-score");
      for (const [at, { entity, shape, mask }] of (looks?.entities ?? []).entries()) {
        const answer = await get(`/looks/${score}/${at}`);
        expect(answer.status, mask).toBe(shape === null ? 404 : 200);
        if (looks === null || shape === null) continue;
        strategies.add(looks.strategy);
        const data = Uint8Array.from({ length: shape.width * shape.height });
        let from = 0;
        for (const [run, length] of shape.runs.entries()) {
          data.fill(run % 2, from, from + length);
          from += length;
        }
        expect(maskRuns({ ...shape, data })).toEqual(shape.runs);
        // Scoring itself, with a model that notes what it is shown.
        const shown: Hash[] = [];
        const model: VisualQuestionAnswering = {
          identity: { provider: "test", model: "watcher" },
          async probabilityOfYes(picture, questions) {
            shown.push(picture.hash);
            return questions.map(() => 0.5);
          },
        };
        await lookAtEntity(
          { image: whole, entity, questions: ["?"] },
          {
            model,
            localizer: {
              identity: { provider: "test", model: "kept" },
              localize: async () => ({ ...shape, data }),
            },
            strategy: looks.strategy as "masking",
          },
        );
        expect(shown).toEqual([hashOf(new Uint8Array(await answer.arrayBuffer()))]);
      }
    }
  }
  expect([...strategies].sort()).toEqual(
    ["blurring", "blurring+cropping", "cropping", "masking", "masking+cropping"].sort(),
  );
  const [first] = items;
  expect((await get(`/looks/${first?.key}/0`)).status).toBe(404);
  expect((await get("/looks/nothing/0")).status).toBe(404);
});
