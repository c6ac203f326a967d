import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import {
  type Behaviour,
  completion,
  misbehavingServer,
} from "../../../../test/support/misbehaving-server.js";
import { sightAnswer } from "../../../../test/support/sight-answers.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { modelChecks } from "./doctor.js";

const refuse = (message: string): Behaviour => ({
  kind: "raw",
  status: 400,
  text: JSON.stringify({ error: { message } }),
});
const json = '{"answer": "yes"}';
type WireBody = Parameters<typeof sightAnswer>[0];

async function findings(
  behave: (body: Readonly<Record<string, unknown>>) => Behaviour,
  settings = "",
  sees: true | ((body: WireBody) => Promise<string>) = true,
) {
  const server = await misbehavingServer({ behave: ({ body }) => behave(body), sees });
  const workingDirectory = await temporaryDirectory();
  await writeFile(
    join(workingDirectory, "touchstone.config.yaml"),
    "models:\n  judge: { provider: openai-compatible, model: tiny, " +
      `baseUrl: "${server.baseUrl}"${settings} }\n`,
  );
  const environment = fakeEnvironment({ workingDirectory });
  const checks = await modelChecks(environment);
  expect(checks.map(({ name }) => name)).toEqual(["model judge"]);
  const found = await Promise.all(checks.map(({ look }) => look(environment)));
  return { finding: found[0], received: server.received };
}

test("a model that can do all of it says so in one call, with what it cost", async () => {
  const { finding, received } = await findings(
    () => ({
      kind: "reply",
      json: completion({ text: json, probabilities: { "{": 0.9, Yes: 0.05, No: 0.01 } }),
    }),
    ", price: { input: 10, output: 0 }",
  );
  expect(finding).toMatchObject({
    state: "ok",
    detail:
      "openai-compatible:tiny: sees images (16 of 16); details down to 4 of 1,024 pixels; takes images, " +
      "log-probabilities of 3 alternatives, answers in JSON; this cost $0.033",
    sight: { state: "sees", right: 16, of: 16 },
    acuity: { pixels: 4, of: 1024 },
  });
  expect(received).toHaveLength(1);
});

test("a blind model is wrong, and is shown no disc", async () => {
  const reply = completion({ text: json, probabilities: { "{": 0.9, Yes: 0.05, No: 0.01 } });
  // Right about no colour.
  const misnamed = (body: WireBody) =>
    sightAnswer(body, (seen) =>
      seen
        .flat()
        .map((colour) => (colour === "red" ? "blue" : "red"))
        .join(" "),
    );
  const { finding } = await findings(() => ({ kind: "reply", json: reply }), "", misnamed);
  expect(finding).toMatchObject({
    state: "wrong",
    detail: expect.not.stringContaining("disc"),
    sight: { state: "blind" },
    acuity: { pixels: null, of: 1024 },
  });
});

test("what a model turns down is named", async () => {
  const { finding } = await findings(({ messages, logprobs, response_format }) => {
    if (JSON.stringify(messages).includes("image_url")) return refuse("no pictures here");
    if (logprobs) return refuse("logprobs are not supported");
    if (response_format) return refuse("response_format is not supported");
    return { kind: "reply", json: completion({ text: "It may be red." }) };
  });
  expect(finding?.state).toBe("ok");
  expect(finding?.detail).toContain(
    'takes no images, no log-probabilities (P(yes) needs yesNo: verbalized or samples, calibrate --samples 5), no JSON: it said "It may be red."',
  );
  expect(finding?.detail).toContain("its price is not known");
});

test("a wrong key is wrong, and says what to mend", async () => {
  const { finding } = await findings(() => ({ kind: "raw", status: 401, text: "who?" }));
  expect(finding).toMatchObject({
    state: "wrong",
    detail: expect.stringContaining("refuses access: HTTP 401: who?"),
    advice: expect.stringContaining("keyVariable"),
  });
});

test("settings without models", async () => {
  const environment = fakeEnvironment({ workingDirectory: await temporaryDirectory() });
  const [check] = await modelChecks(environment);
  expect(await check?.look(environment)).toMatchObject({ state: "missing" });
});

test("a generator of images is not made to draw, but its key is looked for", async () => {
  const workingDirectory = await temporaryDirectory();
  await writeFile(
    join(workingDirectory, "touchstone.config.yaml"),
    [
      "models:",
      "  fast: { provider: fal, model: fal-ai/flux/schnell }",
      "  slow: { provider: replicate, model: owner/name }",
    ].join("\n"),
  );
  const environment = fakeEnvironment({ workingDirectory, variables: { FAL_KEY: "a-key" } });
  const checks = await modelChecks(environment);
  const found = await Promise.all(checks.map(({ look }) => look(environment)));
  expect(found).toEqual([
    {
      state: "ok",
      detail: "fal:fal-ai/flux/schnell: makes images; not tried, as each image costs",
    },
    {
      state: "wrong",
      detail: expect.stringContaining("in REPLICATE_API_TOKEN but it is not set"),
      advice: expect.stringContaining("REPLICATE_API_TOKEN=…"),
    },
  ]);
});
