import { expect, test } from "vitest";
import { colouredImage, scriptedOpenAi } from "../support/scripted-openai.js";
import { shownProblems, writerTask, writtenTriplet } from "../support/scripted-writer.js";
import { walkthrough } from "../support/walkthrough.js";

test("docs/own-prototypicality.md runs from nothing to its report, killed on the way", async () => {
  const sentences = new Map<string, string>();
  const server = await scriptedOpenAi({
    chat({ texts, images, schema }) {
      const task = writerTask(texts);
      if (task !== undefined) {
        const triplet = writtenTriplet(task);
        const isSloppy = task.errorType === "count" && shownProblems(texts).length === 0;
        return {
          text: JSON.stringify(
            isSloppy ? { ...triplet, text: triplet.text.replace(".", ", near a house.") } : triplet,
          ),
        };
      }
      const shown = sentences.get(images[0] ?? "") ?? "";
      const asked = texts.join(" ");
      // A rating of its own sentence: low where an oak was painted.
      if (asked.includes("1 to 10"))
        return { text: `{"rating": ${shown.includes("oak") ? 4 : 9}}` };
      // The judge likes what is typical.
      const likes = /robin|birch/.test(shown) ? 0.9 : 0.6;
      return schema === "rating"
        ? { text: '{"rating": 3}' }
        : { text: "Yes", probabilities: { Yes: likes, No: 1 - likes } };
    },
    behave({ path, body }) {
      if (path.endsWith("/images/generations")) {
        const image = colouredImage(String(body.prompt), Number(body.seed ?? 0));
        sentences.set(image.toString("base64"), String(body.prompt));
      }
      return undefined;
    },
  });
  const { commands, read, run, kill } = await walkthrough("own-prototypicality.md", server);
  const [lint, build, generate, score, report] = commands;

  expect((await run(lint)).stdout).toContain("It builds 12 items: 6 of plants, 6 of birds.");
  const said = JSON.parse((await run(build, { more: ["--json"] })).stdout);
  expect(said).toMatchObject({ prompts: 12, byDomain: { plants: 6, birds: 6 }, dropped: {} });
  expect(said.askedAgain.byRule["no-buildings"] ?? 0).toBe(0);
  expect(said.askedAgain.triplets).toBeGreaterThan(0);

  // 12 prompts of four sentences, two images each; it is killed while it paints.
  const painted = () => server.received.filter(({ path }) => path.endsWith("/generations")).length;
  await kill(generate, () => painted() >= 30);
  await run(["run", "resume", "runs/own"]);
  expect(painted()).toBeGreaterThanOrEqual(96);
  expect(painted()).toBeLessThan(96 + 40);

  await run(score);
  expect((await run(report)).stdout).toContain("vqa-score");
  const page = await read("runs/own/report.html");
  expect(page).toContain("prompt-rating");
  expect(page).toContain("plants");
  expect(page).toContain("birds");
});
