import { expect, test } from "vitest";
import { handClock } from "../../../test/support/hand-clock.js";
import {
  documentedService,
  imageOf,
  runningService,
  workflow,
} from "../../../test/support/image-services.js";
import type { JsonObject } from "../../core/json.js";
import type { ImageGenerator } from "../../core/models.js";
import type { HostedGeneratorOptions } from "../image-generation/hosted-generator.js";
import { a1111 } from "./a1111.js";
import { bfl } from "./bfl.js";
import { chatImages } from "./chat-images.js";
import { comfyUi } from "./comfyui.js";
import { readWorkflow } from "./comfyui-workflow.js";
import { geminiImages } from "./gemini-images.js";
import { stability } from "./stability.js";

const asked = { prompt: "a red wall", seed: 5 };
type Misbehave = NonNullable<Parameters<typeof runningService>[1]>;

/** A service of the documented ones with a generator before it. */
function behind(
  name: string,
  make: (options: HostedGeneratorOptions) => ImageGenerator,
  misbehave?: Misbehave,
) {
  const running = runningService(documentedService(name), misbehave);
  const clock = handClock();
  const trace: JsonObject[] = [];
  const generator = make({
    baseUrl: running.base,
    fetch: running.fetch,
    clock,
    apiKey: "key-012345",
  });
  const generate = (request = asked) =>
    generator.generate(request, { trace: (entry) => trace.push(entry) });
  return { ...running, clock, trace, generator, generate };
}
const edited =
  (edit: (body: Record<string, unknown>) => void, concerns = /./): Misbehave =>
  async ({ url }, sound) => {
    const response = await sound();
    if (!concerns.test(url.pathname)) return response;
    // biome-ignore lint/suspicious/noExplicitAny: a reply of any service's.
    const body = (await response.json()) as any;
    edit(body);
    return Response.json(body);
  };
const failing = (reason: string, words: string) =>
  expect.objectContaining({ reason, message: expect.stringContaining(words) });

test("a1111 is sent its settings and checkpoint, and says how it made the image", async () => {
  const input = { steps: 12, sampler_name: "DDIM", negative_prompt: "text" };
  const { generate, received, generator } = behind("a1111", (o) => a1111("tiny", { ...o, input }));
  const { making, revisedPrompt } = await generate();
  expect(received[0]?.body).toEqual({
    ...input,
    ...asked,
    batch_size: 1,
    n_iter: 1,
    send_images: true,
    override_settings: { sd_model_checkpoint: "tiny" },
    override_settings_restore_afterwards: false,
  });
  // What the server says counts before what it was told.
  expect(making).toEqual({
    steps: 20,
    guidance: 7,
    sampler: "Euler a",
    size: "512x512",
    negativePrompt: "text",
    weights: "tiny [6ce0161689]",
  });
  expect(revisedPrompt).toBeUndefined();
  expect(generator.identity.revision).toMatch(/^input-[0-9a-f]{8}$/);
});

const withInfo = (rest: object) =>
  edited((body) => {
    body.info = JSON.stringify({ ...JSON.parse(String(body.info)), ...rest });
  });

test("a1111 has no image by another seed or checkpoint", async () => {
  const seed = behind("a1111", (o) => a1111("tiny", o), withInfo({ seed: 6 }));
  await expect(seed.generate()).rejects.toThrow(failing("provider-error", "seed 6"));
  const other = behind("a1111", (o) => a1111("other.safetensors [0123abcd]", o));
  await expect(other.generate()).rejects.toThrow(failing("provider-error", "by tiny"));
  const longer = behind("a1111", (o) => a1111("my-tiny", o));
  await expect(longer.generate()).rejects.toThrow(failing("provider-error", "by tiny"));
  const inFolder = behind("a1111", (o) => a1111("sub/tiny.safetensors", o));
  await expect(inFolder.generate()).resolves.toBeDefined();
  const same = behind(
    "a1111",
    (o) => a1111("sub/tiny.safetensors", o),
    withInfo({ sd_model_name: "sub_tiny" }),
  );
  await expect(same.generate()).resolves.toBeDefined();
  const styled = behind("a1111", (o) => a1111("loaded", o), withInfo({ prompt: "a red wall, 4k" }));
  expect((await styled.generate()).revisedPrompt).toBe("a red wall, 4k");
});

test("a1111 without --api is said to lack it", async () => {
  const { generate } = behind(
    "a1111",
    (o) => a1111("loaded", { ...o, baseUrl: "http://h/elsewhere" }),
    () => Response.json({ detail: "Not Found" }, { status: 404 }),
  );
  await expect(generate()).rejects.toMatchObject({ hint: expect.stringContaining("--api") });
});

test("comfyui fills in the workflow and takes what a node saved", async () => {
  const input = { negative_prompt: 'ugly "%seed%"' };
  const { generate, received } = behind("comfyui", (o) => comfyUi("w", { ...o, workflow, input }));
  const { making } = await generate({ prompt: 'a "red" %width%', seed: 7 });
  const sent = received[0]?.body.prompt;
  expect(sent["2"].inputs.text).toBe('a "red" %width%');
  expect(sent["3"].inputs.text).toBe('ugly "%seed%"');
  expect(sent["4"].inputs.seed).toBe(7);
  expect(sent["5"].inputs.filename_prefix).toBe("t-%date:yyyy%");
  expect(making).toMatchObject({
    steps: 4,
    guidance: 1.5,
    sampler: "euler",
    weights: "tiny.safetensors",
  });
});

test("comfyui takes the negative prompt by its place's own name, too", async () => {
  const input = { negative: "fog" };
  const { generate, received } = behind("comfyui", (o) => comfyUi("w", { ...o, workflow, input }));
  const { making } = await generate();
  expect(received[0]?.body.prompt["3"].inputs.text).toBe("fog");
  expect(making).toMatchObject({ negativePrompt: "fog" });
});

const others = { output: "output", temp: "temp" } as const;
const saved = (type: keyof typeof others, filename = "job1.png") => ({
  images: [{ filename, type }],
});
const withEntry = (edit: (entry: Record<string, unknown>) => void) =>
  edited((body) => edit(Object(body.job1)), /history\/job1/);

test("comfyui says which node failed, and why", async () => {
  const error = { node_id: "4", node_type: "KSampler", exception_message: "out of memory\n" };
  const { generate } = behind(
    "comfyui",
    (o) => comfyUi("w", { ...o, workflow }),
    withEntry((entry) => {
      entry.outputs = {};
      entry.status = {
        status_str: "error",
        completed: false,
        messages: [["execution_error", error]],
      };
    }),
  );
  await expect(generate()).rejects.toThrow(
    failing("provider-error", "node 4 (KSampler) failed: out of memory"),
  );
  const errors = [
    { type: "value_not_in_list", message: "Value not in list", details: "ckpt_name: 'x'" },
  ];
  const node_errors = { "1": { class_type: "CheckpointLoaderSimple", errors } };
  const refusing = behind(
    "comfyui",
    (o) => comfyUi("w", { ...o, workflow }),
    () =>
      Response.json(
        { error: { type: "t", message: "Outputs failed", details: "" }, node_errors },
        { status: 400 },
      ),
  );
  await expect(refusing.generate()).rejects.toMatchObject({
    code: "input",
    message: expect.stringContaining(
      "node 1 (CheckpointLoaderSimple): Value not in list, ckpt_name: 'x'",
    ),
  });
});

test("comfyui shows, of a workflow that is all cached, the image from before", async () => {
  let sent: unknown;
  const { generate } = behind(
    "comfyui",
    (o) => comfyUi("w", { ...o, workflow }),
    async (call, sound) => {
      if (call.method === "POST") sent = call.body.prompt;
      if (call.url.pathname.endsWith("/history/job2")) {
        const messages = [["execution_cached", { nodes: ["1", "2", "3", "4", "5"] }]];
        const status = { status_str: "success", completed: true, messages };
        return Response.json({ job2: { prompt: [2, "job2", sent], outputs: {}, status } });
      }
      if (!call.url.pathname.endsWith("/history")) return sound();
      const before = { prompt: [1, "job1", sent], outputs: { "5": saved("output") } };
      const another = { prompt: [1, "x", { "1": {} }], outputs: { "5": saved("output", "x.png") } };
      return Response.json({
        job1: before,
        x: another,
        job2: { prompt: [2, "job2", sent], outputs: {} },
      });
    },
  );
  const first = await generate();
  const again = await generate();
  expect(Buffer.compare(again.bytes, first.bytes)).toBe(0);
});

test("comfyui waits in the queue; a saved image counts before a preview, and two are none", async () => {
  let looks = 0;
  const waiting = behind(
    "comfyui",
    (o) => comfyUi("w", { ...o, workflow }),
    async ({ url }, sound) => {
      if (url.pathname.includes("/history/")) return looks++ < 2 ? Response.json({}) : sound();
      if (!url.pathname.endsWith("/queue")) return sound();
      return Response.json({ queue_running: [], queue_pending: [[3, "job1", {}, {}, ["5"]]] });
    },
  );
  await waiting.generate();
  expect(waiting.clock.slept).toEqual([500, 750]);
  const several = (outputs: object) =>
    behind(
      "comfyui",
      (o) => comfyUi("w", { ...o, workflow }),
      withEntry((entry) => {
        entry.outputs = outputs;
      }),
    );
  const shown = several({ "4": saved("temp", "preview.png"), "5": saved("output") });
  await shown.generate();
  expect(shown.received.at(-1)?.url.searchParams.get("filename")).toBe("job1.png");
  const two = several({ "4": saved("output", "x.png"), "5": saved("output") });
  await expect(two.generate()).rejects.toThrow(failing("bad-input", "4 and 5"));
});

test("a workflow needs a place for the prompt and the seed, and the API's format", () => {
  expect(() =>
    comfyUi("w", { workflow: { "1": { class_type: "X", inputs: { text: "%prompt%" } } } }),
  ).toThrow("%seed%");
  const sized = {
    "1": { class_type: "X", inputs: { a: "%prompt%", b: "%seed%", width: "%width%" } },
  };
  expect(() => comfyUi("w", { workflow: sized })).toThrow("%width%");
  expect(() => comfyUi("w", { workflow: sized, input: { width: 512 } })).not.toThrow();
  expect(() => readWorkflow('{"nodes": [], "links": []}', "w.json")).toThrow("editor");
  expect(readWorkflow(JSON.stringify(workflow), "w.json")).toEqual(workflow);
});

test("bfl pauses ever longer until there is an end, and counts the credits that the reply says", async () => {
  const { generate, clock, trace } = behind("bfl", (o) => bfl("flux-tiny", o));
  await generate();
  expect(trace).toEqual([expect.objectContaining({ cost: 0.04 })]);
  expect(clock.slept).toEqual([]);
  const pending = behind(
    "bfl",
    (o) => bfl("flux-tiny", o),
    edited((body) => {
      body.status = "Pending";
    }, /get_result/),
  );
  await expect(pending.generate()).rejects.toThrow(failing("timeout", "15 minutes"));
  expect(pending.clock.slept.slice(0, 3)).toEqual([500, 750, 1125]);
  expect(Math.max(...pending.clock.slept)).toBe(5000);
  expect(pending.begun).toHaveLength(1);
});

test.each([
  ["https://elsewhere.test/get_result?id=1", "https://images.test/v1", false],
  ["http://api.us1.bfl.ai/v1/get_result?id=1", "https://api.bfl.ai/v1", false],
  ["https://api.us1.bfl.ai.elsewhere.test/x", "https://api.bfl.ai/v1", false],
  ["https://api.us1.bfl.ai/v1/get_result?id=job1", "https://api.bfl.ai/v1", true],
])("bfl's key to %s from %s: %s", async (polling_url, baseUrl, isSent) => {
  const { generate, received } = behind(
    "bfl",
    (o) => bfl("flux-tiny", { ...o, baseUrl }),
    edited((body) => {
      body.polling_url = polling_url;
    }, /flux-tiny/),
  );
  await generate().catch(() => {});
  expect(received.some(({ url }) => url.href === polling_url)).toBe(isSent);
});

test("bfl says which prompt was drawn, and has no image by another seed", async () => {
  const result = (rest: object) =>
    edited((body) => Object.assign(Object(body.result), rest), /get_result/);
  const upsampled = behind("bfl", (o) => bfl("flux-tiny", o), result({ prompt: "a wall at dusk" }));
  expect((await upsampled.generate()).revisedPrompt).toBe("a wall at dusk");
  const other = behind("bfl", (o) => bfl("flux-tiny", o), result({ seed: 6 }));
  await expect(other.generate()).rejects.toThrow(failing("provider-error", "seed 6"));
});

test("stability is sent a form, and takes bytes as well as JSON", async () => {
  const input = { aspect_ratio: "3:2" };
  const { generate, received } = behind("stability", (o) => stability("core", { ...o, input }));
  await generate();
  expect(received[0]?.headers.get("accept")).toBe("application/json");
  expect(received[0]?.body).toEqual({
    prompt: "a red wall",
    seed: "5",
    output_format: "png",
    aspect_ratio: "3:2",
  });
  const bytes = await imageOf(asked.prompt, asked.seed);
  const raw = behind(
    "stability",
    (o) => stability("sd3.5-large", o),
    () =>
      new Response(new Uint8Array(bytes), {
        headers: { "content-type": "image/png", "finish-reason": "SUCCESS", seed: "5" },
      }),
  );
  expect(Buffer.compare((await raw.generate()).bytes, bytes)).toBe(0);
  expect(raw.received[0]?.url.pathname).toBe("/v1/stable-image/generate/sd3");
  expect(raw.received[0]?.body.model).toBe("sd3.5-large");
  // 0 would ask for any seed.
  await raw.generate({ ...asked, seed: 0 }).catch(() => {});
  expect(raw.received[1]?.body.seed).toBe("4294967294");
});

test("the thought of gemini is billed, and its sketches are no answer", async () => {
  const input = { imageConfig: { aspectRatio: "1:1" } };
  const { generate, received, trace } = behind("gemini-images", (o) =>
    geminiImages("gemini-tiny-image", { ...o, input }),
  );
  await generate();
  expect(received[0]?.body.generationConfig).toEqual({
    responseModalities: ["TEXT", "IMAGE"],
    imageConfig: { aspectRatio: "1:1" },
    seed: 5,
  });
  expect(trace[0]).toMatchObject({ usage: { inputTokens: 8, outputTokens: 1350 } });
});

test.each([
  [
    "gemini-images",
    { candidates: [{ content: { parts: [{ text: "I can't." }] }, finishReason: "STOP" }] },
    { usage: { inputTokens: 8, outputTokens: 1350 } },
  ],
  [
    "chat-images",
    { choices: [{ message: { content: "I can't." }, finish_reason: "stop" }] },
    { cost: 0.039, usage: { inputTokens: 8, outputTokens: 1290 } },
  ],
] as const)("%s notes what a refusal in words is billed", async (name, reply, bill) => {
  const { generate, trace } = behind(
    name,
    documentedService(name).make,
    edited((body) => Object.assign(body, reply)),
  );
  await expect(generate()).rejects.toThrow(failing("refused", "I can't."));
  expect(trace).toEqual([expect.objectContaining({ kind: "model-call", ...bill })]);
});

test("chat-images takes an image in any place of the message, and the router's bill", async () => {
  const url = `data:image/png;base64,${(await imageOf(asked.prompt, asked.seed)).toString("base64")}`;
  for (const message of [
    {
      content: [
        { type: "text", text: "Here" },
        { type: "image_url", image_url: { url } },
      ],
    },
    { content: `Here: ![a wall](${url})` },
  ]) {
    const { generate, trace } = behind(
      "chat-images",
      (o) => chatImages("owner/painter", o),
      edited((body) => {
        body.choices = [{ message, finish_reason: "stop" }];
      }),
    );
    expect(Buffer.from((await generate()).bytes).toString("base64")).toBe(url.split(",")[1]);
    expect(trace[0]).toMatchObject({ cost: 0.039 });
  }
});
