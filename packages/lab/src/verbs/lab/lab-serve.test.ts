import { readFile, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Environment } from "touchstone-t2i/internal/cli/environment.js";
import { runCommandLine } from "touchstone-t2i/internal/cli/main.js";
import { exitCodes } from "touchstone-t2i/internal/cli/report-error.js";
import { NoAnswer } from "touchstone-t2i/internal/core/unscored.js";
import { openPicture } from "touchstone-t2i/internal/images/picture.js";
import { vqaScore } from "touchstone-t2i/internal/metrics/vqa-score.js";
import { answersQuestions } from "touchstone-t2i/internal/models/chat/answers-questions.js";
import { openAiCompatible } from "touchstone-t2i/internal/models/openai-compatible/openai-compatible.js";
import { expect, onTestFinished, test } from "vitest";
import { fakeEnvironment } from "../../../../../test/support/fake-environment.js";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.js";
import { labModel } from "../../models/lab-model.js";
import { labPainter } from "../../painter/lab-painter.js";

/** Runs `lab serve` in this process, on a real socket, until the test ends or stops it. */
async function serving(words: readonly string[] = [], variables: Environment["variables"] = {}) {
  const environment = fakeEnvironment({ variables });
  const ended: { code?: Promise<number> } = {};
  const listening = new Promise<void>((resolve, reject) => {
    const write = (text: string) => {
      environment.stdout.write(text);
      if (text.includes("Next")) resolve();
    };
    ended.code = runCommandLine(["lab", "serve", ...words], {
      ...environment,
      stdout: { ...environment.stdout, write },
    });
    ended.code.then(() => reject(new Error(environment.written.stderr)), reject);
  });
  const stop = () => {
    environment.interrupt();
    return ended.code;
  };
  onTestFinished(async () => {
    await stop();
  });
  await listening;
  const [baseUrl = ""] = /http:\S+\/v1/.exec(environment.written.stdout) ?? [];
  return { baseUrl, stop, written: environment.written };
}

test("scores over a real socket are those in process, and Ctrl+C ends it", async () => {
  const { baseUrl, stop, written } = await serving();
  expect(written.stdout).toMatch(
    /Next, in another terminal: OPENAI_BASE_URL=http:\/\/127\.0\.0\.1:\d+\/v1 touchstone score .*\n$/,
  );
  const sentences = [
    "A dog is in the snow with exactly two rocks.",
    "A dog is in the snow with exactly three rocks.",
    "A cat is in the snow.",
  ];
  const painted = sentences.map((prompt, seed) => labPainter().generate({ prompt, seed }));
  const scores: number[] = [];
  for (const name of ["vqa", "filter-vqa"] as const) {
    const here = vqaScore({ model: labModel(name) });
    const model = answersQuestions(openAiCompatible(name, { baseUrl }));
    const there = vqaScore({ model });
    for (const { bytes } of await Promise.all(painted)) {
      const image = await openPicture(bytes);
      for (const text of sentences) {
        const { value } = await here.score({ image, text });
        scores.push(value);
        expect(Math.abs((await there.score({ image, text })).value - value)).toBeLessThan(1e-9);
      }
    }
  }
  // Not all the same, or nothing would be said.
  expect(Math.max(...scores) - Math.min(...scores)).toBeGreaterThan(0.5);

  const photograph = await openPicture(
    Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC",
      "base64",
    ),
  );
  const asked = answersQuestions(openAiCompatible("vqa", { baseUrl }));
  await expect(asked.probabilityOfYes(photograph, ["Is there a dog?"])).rejects.toThrow(
    expect.objectContaining({
      constructor: NoAnswer,
      message: expect.stringContaining("only what the lab painted"),
    }),
  );
  expect(await stop()).toBe(exitCodes.interrupted);
  await expect(fetch(`${baseUrl}/models`)).rejects.toThrow();
});

test("what was begun before Ctrl+C is answered after it", async () => {
  const { baseUrl, stop } = await serving();
  const headers = { "content-type": "application/json", expect: "100-continue" };
  const call = request(`${baseUrl}/images/generations`, { method: "POST", headers });
  // The server has the request when it asks for the body.
  const reply = new Promise<IncomingMessage>((resolve, reject) => {
    call.on("response", resolve).on("error", reject);
    call.on("continue", () => {
      stop();
      call.end(JSON.stringify({ prompt: "A dog is in the snow.", seed: 1 }));
    });
  });
  call.flushHeaders();
  const response = await reply;
  expect(response.statusCode).toBe(200);
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece);
  expect(JSON.parse(Buffer.concat(pieces).toString("utf8")).data).toHaveLength(1);
  expect(await stop()).toBe(exitCodes.interrupted);
});

test("a wider address needs a token, which requests must carry", async () => {
  const refused = fakeEnvironment();
  expect(await runCommandLine(["lab", "serve", "--host", "0.0.0.0"], refused)).toBe(
    exitCodes.input,
  );
  expect(refused.written.stderr).toContain("TOUCHSTONE_LAB_TOKEN");
  const short = fakeEnvironment({ variables: { TOUCHSTONE_LAB_TOKEN: "abc" } });
  expect(await runCommandLine(["lab", "serve"], short)).toBe(exitCodes.input);

  const token = "a-long-token-of-the-test";
  const { baseUrl, written } = await serving(["--host", "0.0.0.0"], {
    TOUCHSTONE_LAB_TOKEN: token,
  });
  const there = `${baseUrl.replace("0.0.0.0", "127.0.0.1")}/models`;
  expect((await fetch(there)).status).toBe(401);
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(there, { headers })).status).toBe(200);
  expect(written.stdout).not.toContain(token);
});

test("a port that is taken is said so", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const environment = fakeEnvironment();
  const line = ["lab", "serve", "--port", String(port)];
  expect(await runCommandLine(line, environment)).toBe(exitCodes.input);
  expect(environment.written.stderr).toContain("something else listens there already");
});

test("an audit over HTTP is the one in process", async () => {
  const { baseUrl } = await serving();
  const directory = await temporaryDirectory();
  const rowsOf = async (name: string, models: object) => {
    const config = { ...models, categories: ["occupational"], queriesPerCategory: 1, images: 2 };
    await writeFile(join(directory, `${name}.yaml`), JSON.stringify(config));
    const environment = fakeEnvironment({
      workingDirectory: directory,
      variables: { OPENAI_BASE_URL: baseUrl },
    });
    const words = ["audit", `${name}.yaml`, "--run", name, "--out", `${name}.csv`, "--no-cache"];
    expect([await runCommandLine(words, environment), environment.written.stderr]).toEqual([
      exitCodes.done,
      expect.any(String),
    ]);
    const [, ...rows] = (await readFile(join(directory, `${name}.csv`), "utf8")).split("\n");
    // All but the generator's name.
    return rows.map((row) => row.split(",").toSpliced(2, 1).join());
  };
  const there = await rowsOf("there", {
    generators: ["openai-images:painter-strong"],
    judge: "openai-compatible:auditor",
    refiner: "openai-compatible:refiner",
  });
  const here = await rowsOf("here", {
    generators: ["lab:painter-strong"],
    judge: "lab:auditor",
    refiner: "lab:refiner",
  });
  expect(there).toEqual(here);
  expect(there.filter((row) => row.endsWith(",1")).length).toBeGreaterThan(0);
  expect(there.some((row) => row.includes(",refined,"))).toBe(true);
});
