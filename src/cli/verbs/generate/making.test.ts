import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  documentedService,
  runningService,
  workflow,
} from "../../../../test/support/image-services.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { touchstoneHere } from "../../../../test/support/touchstone-here.js";
import { exitCodes } from "../../report-error.js";

/** A service behind a port of this machine. */
async function served(name: string) {
  const running = runningService(documentedService(name));
  const keys: (string | undefined)[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    keys.push(request.headers["x-key"]?.toString());
    const { method = "GET", url = "" } = request;
    const body = Buffer.concat(pieces);
    const answer = await running.fetch(`http://${request.headers.host}${url}`, {
      method,
      headers: { "content-type": request.headers["content-type"] ?? "" },
      ...(method === "POST" ? { body } : {}),
    });
    const text = Buffer.from(await answer.arrayBuffer());
    const type = answer.headers.get("content-type") ?? "";
    // What a service says of its own address is of this port.
    const isText = type.includes("json");
    response.writeHead(answer.status, { "content-type": type });
    response.end(
      isText
        ? text.toString("utf8").replaceAll(running.base, `http://${request.headers.host}`)
        : text,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return { ...running, keys, address: `http://127.0.0.1:${port}` };
}

const lines = async (file: string) =>
  (await readFile(file, "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

test("images of a checkpoint, a workflow and a service say how they were made, and compare warns", async () => {
  const directory = await temporaryDirectory();
  const [forge, comfy, flux] = await Promise.all(["a1111", "comfyui", "bfl"].map(served));
  await writeFile(join(directory, "prompts.csv"), "text\na dog\na cat\n");
  await writeFile(join(directory, "flow.json"), JSON.stringify(workflow));
  await writeFile(
    join(directory, "touchstone.config.yaml"),
    JSON.stringify({
      models: {
        forge: { provider: "a1111", baseUrl: forge?.address, input: { steps: 20, cfg_scale: 7 } },
        comfy: {
          provider: "comfyui",
          baseUrl: comfy?.address,
          workflow: "flow.json",
          input: { negative_prompt: "text" },
        },
        flux: {
          provider: "bfl",
          model: "flux-tiny",
          baseUrl: flux?.address,
          keyName: "MY_BFL_KEY",
        },
      },
    }),
  );
  const touchstone = (line: string) =>
    touchstoneHere(line.split(" "), {
      workingDirectory: directory,
      variables: { MY_BFL_KEY: "planted-key-0123456789" },
    });
  for (const [name, samples] of [
    ["forge", 2],
    ["comfy", 1],
    ["flux", 1],
  ] as const) {
    const made = await touchstone(
      `generate prompts.csv --model ${name} --samples ${samples} --out ${name} --max-cost 1`,
    );
    expect(made, made.stderr).toMatchObject({
      code: name === "flux" ? exitCodes.input : exitCodes.done,
    });
  }
  const priced = await touchstone("generate prompts.csv --model flux --out flux");
  expect(priced.code).toBe(exitCodes.done);
  expect(new Set(flux?.keys)).toEqual(new Set(["planted-key-0123456789", undefined]));
  expect(forge?.begun).toHaveLength(4);
  const [first] = await lines(join(directory, "forge/metadata.jsonl"));
  expect(first).toMatchObject({
    text: "a dog",
    seed: forge?.begun.find(({ prompt }) => prompt === "a dog")?.seed,
    model: expect.stringMatching(/^a1111:loaded@input-/),
    making: {
      steps: 20,
      guidance: 7,
      sampler: "Euler a",
      size: "8x8",
      weights: "tiny [6ce0161689]",
    },
  });
  const [drawn] = await lines(join(directory, "comfy/metadata.jsonl"));
  expect(drawn).toMatchObject({
    making: { steps: 4, negativePrompt: "text", weights: "tiny.safetensors" },
  });

  const compared = await touchstone("compare --images forge --images comfy --details");
  expect(compared.code, compared.stderr).toBe(exitCodes.done);
  const words = compared.stdout.replace(/\s+/g, " ");
  expect(words).toContain("How the images were made");
  expect(words).toContain("Images per prompt differ: forge 2, comfy 1");
});

test("a seed gives the same bytes twice, alone and in a batch, from a checkpoint and a workflow", async () => {
  const directory = await temporaryDirectory();
  const [forge, comfy] = await Promise.all(["a1111", "comfyui"].map(served));
  await writeFile(join(directory, "flow.json"), JSON.stringify(workflow));
  await writeFile(join(directory, "all.csv"), "text\na dog\na cat\na cow\n");
  await writeFile(join(directory, "one.csv"), "text\na cat\n");
  const models = {
    forge: { provider: "a1111", baseUrl: forge?.address },
    comfy: { provider: "comfyui", baseUrl: comfy?.address, workflow: "flow.json" },
  };
  await writeFile(join(directory, "touchstone.config.yaml"), JSON.stringify({ models }));
  async function made(prompts: string, out: string, model: string) {
    const line = `generate ${prompts} --model ${model} --samples 2 --seed 3 --out ${out}`;
    const { code, stderr } = await touchstoneHere(line.split(" "), { workingDirectory: directory });
    expect(code, stderr).toBe(exitCodes.done);
    const images = await lines(join(directory, out, "metadata.jsonl"));
    const bytes = images.map(({ file_name: file }) => readFile(join(directory, out, file), "hex"));
    return Promise.all(
      bytes.map(async (each, at) => [images[at].text, images[at].seed, await each]),
    );
  }
  for (const [model, server] of [
    ["forge", forge],
    ["comfy", comfy],
  ] as const) {
    const first = await made("all.csv", `${model}-1`, model);
    expect(await made("all.csv", `${model}-2`, model)).toEqual(first);
    expect(await made("one.csv", `${model}-3`, model)).toEqual(first.slice(2, 4));
    expect(new Set(first.map(([, , bytes]) => bytes)).size).toBe(6);
    // Each was made anew.
    expect(server?.begun).toHaveLength(14);
  }
});

test("a recipe holds what another needs to make a run's images again", async () => {
  const directory = await temporaryDirectory();
  const touchstone = (line: string) =>
    touchstoneHere(line.split(" "), { workingDirectory: directory });
  await writeFile(join(directory, "prompts.csv"), "text\nA dog is in the snow.\n");
  const made = await touchstone(
    "generate prompts.csv --model lab:painter --samples 2 --out images --json",
  );
  expect(made.code, made.stderr).toBe(exitCodes.done);
  const { run } = JSON.parse(made.stdout);
  const exported = await touchstone(`run export ${run} --recipe --out recipe.json`);
  expect(exported.code, exported.stderr).toBe(exitCodes.done);
  const recipe = JSON.parse(await readFile(join(directory, "recipe.json"), "utf8"));
  const metadata = await lines(join(directory, "images/metadata.jsonl"));
  expect(recipe).toMatchObject({
    commands: [expect.stringContaining("generate prompts.csv")],
    generators: [{ model: "lab:painter@no-defects", images: 2, prompts: 1, perPrompt: [2] }],
    images: metadata.map(({ text, seed }) => ({
      text,
      seed,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    })),
  });
  const both = await touchstone(`run export ${run} --recipe --parquet --out tables`);
  expect(both.code).toBe(exitCodes.input);
});
