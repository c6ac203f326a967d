import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import {
  completion,
  misbehavingServer,
  type Received,
} from "../../../../test/support/misbehaving-server.js";
import { sightAnswer, sightAsked } from "../../../../test/support/sight-answers.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { touchstoneHere } from "../../../../test/support/touchstone-here.js";

const yes = completion({ probabilities: { Yes: 0.9, No: 0.1 } });
const model = "openai-compatible:tiny";

/** Two images of other sizes, and a server that answers the sight check as `sees` has it. */
async function imagesAndServer(sees: (body: Received["body"]) => Promise<string> | string) {
  const workingDirectory = await temporaryDirectory();
  for (const [name, width] of [
    ["a.png", 40],
    ["b.png", 1600],
  ] as const) {
    const create = { width, height: 80, channels: 3, background: "#345678" } as const;
    await sharp({ create }).png().toFile(join(workingDirectory, name));
  }
  const rows = ["a.png", "b.png"].map((image) => JSON.stringify({ image, text: `in ${image}` }));
  await writeFile(join(workingDirectory, "rows.jsonl"), `${rows.join("\n")}\n`);
  const server = await misbehavingServer({
    sees,
    behave: ({ body }) => ({
      kind: "reply",
      json: body.response_format === undefined ? yes : completion({ text: '{"rating": 3}' }),
    }),
  });
  await writeFile(
    join(workingDirectory, "touchstone.config.yaml"),
    `models: { mine: { provider: openai-compatible, model: tiny, baseUrl: "${server.baseUrl}" } }\n`,
  );
  const variables = {
    OPENAI_BASE_URL: server.baseUrl,
    OPENAI_API_KEY: "sk-0123456789abcdef",
    XDG_CACHE_HOME: join(workingDirectory, "cache"),
  };
  return {
    server,
    run: (...words: readonly string[]) => touchstoneHere(words, { variables, workingDirectory }),
  };
}

const sound = (body: Received["body"]) => sightAnswer(body);
/** Right about nothing, which guessing would not be for sure. */
const blind = (body: Received["body"]) =>
  sightAnswer(body, (seen) =>
    seen
      .flat()
      .map((colour) => (colour === "red" ? "blue" : "red"))
      .join(", "),
  );
const score = ["score", "rows.jsonl", "--metric"];

describe.each([`vqa-score=${model}`, `mllm-rating=${model}`])("%s", (metric) => {
  test("a blind server ends the command before the first item, with what was said", async () => {
    const { run, server } = await imagesAndServer(blind);
    const { code, stderr } = await run(...score, metric);
    expect(code).toBe(2);
    expect(server.received.length).toBe(0);
    expect(stderr).toContain("does not see the images");
    expect(stderr).toContain("answered ");
    expect(stderr).toContain("--mmproj");
  });

  test("a server that sees is not accused, and asked four times within an hour", async () => {
    const { run, server } = await imagesAndServer(sound);
    const first = await run(...score, metric, "--json", "--max-calls", "6");
    const { sanity, spent, results } = JSON.parse(first.stdout);
    // One of the two images is 1600 pixels wide.
    expect(sanity.metrics[metric]).toMatchObject({
      cutTexts: null,
      cutImages: null,
      shrunkImages: 1,
      findings: [{ kind: "too-few" }, { kind: "images-shrunk", severity: "caution" }],
    });
    expect(results[1].details.shrunk).toEqual({ from: [1600, 80], to: [1024, 51] });
    expect(sanity.verdict).toContain("1 of 2 images are shrunk");
    expect(sanity.models).toMatchObject({
      [model]: { sight: { state: "sees", right: 16, of: 16 } },
    });
    expect(spent.calls).toBe(6);
    expect([server.sights.length, server.received.length]).toEqual([4, 2]);
    const second = await run(...score, metric, "--json", "--no-cache");
    expect(second.stderr).not.toContain("sees the images");
    expect(server.sights.length).toBe(8);
    const third = await run(...score, metric, "--json");
    expect(JSON.parse(third.stdout).sanity.models[model].sight.state).toBe("sees");
    expect([server.sights.length, server.received.length]).toEqual([8, 4]);
  });
});

test("the images are as large as the largest of the run is when it reaches the model", async () => {
  const { run, server } = await imagesAndServer(sound);
  const { stdout } = await run(...score, `vqa-score=${model}`);
  expect(stdout).toMatch(/cut or shrunk\n[^\n]*\n.* 1 image shrunk\n/);
  const sizes = await Promise.all(
    server.sights.map(async ({ body }) => {
      const bytes = Buffer.from(sightAsked(body)?.images[0] ?? "", "base64");
      const { width, height, format } = await sharp(bytes).metadata();
      return [width, height, format];
    }),
  );
  expect(sizes).toEqual(Array(4).fill([1024, 51, "png"]));
});

test("--allow-blind goes on and marks the result; --no-sanity asks nothing and says so", async () => {
  const { run, server } = await imagesAndServer(blind);
  const allowed = await run(...score, `vqa-score=${model}`, "--allow-blind", "--json");
  expect(allowed.code).toBe(0);
  expect(JSON.parse(allowed.stdout).sanity.models[model].sight.state).toBe("blind");
  expect(JSON.parse(allowed.stdout).warnings.at(-1)).toContain("does not see the images");
  const before = server.sights.length;
  const without = await run(...score, `vqa-score=${model}`, "--no-sanity", "--no-cache", "--json");
  expect(JSON.parse(without.stdout).sanity.models[model].sight.state).toBe("skipped");
  expect([server.sights.length - before, server.received.length]).toEqual([0, 4]);
});

test("doctor --models calls a blind server wrong, and says how small a detail may be", async () => {
  // One pixel of its 64 is 16 of 1,024: it names no colour of a smaller disc, wherever that is.
  const shrunk = async (body: Received["body"]) => {
    const { stripes, images: [image = ""] = [] } = sightAsked(body) ?? {};
    const { data } = await sharp(Buffer.from(image, "base64"))
      .raw()
      .toBuffer({ resolveWithObject: true });
    const disc = data.filter((level) => level !== 128).length / 3;
    const isSeen = stripes !== 0 || disc >= 0.5 * 16 ** 2;
    return isSeen ? sightAnswer(body) : "grey";
  };
  for (const [sees, pixels] of [
    [blind, undefined],
    [shrunk, 16],
    [sound, 4],
  ] as const) {
    const { run } = await imagesAndServer(sees);
    const { code, stdout } = await run("doctor", "--models", "--json");
    const { checks } = JSON.parse(stdout);
    const found = checks.find(({ name }: { name: string }) => name === "model mine");
    if (pixels === undefined) {
      expect(code).toBe(2);
      expect(found).toMatchObject({ state: "wrong", sight: { state: "blind" } });
    } else {
      expect(found).toMatchObject({ state: "ok", sight: { state: "sees" } });
      expect(found.acuity).toEqual({ pixels, of: 1024 });
    }
  }
});
