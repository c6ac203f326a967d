import { createHash } from "node:crypto";
import sharp from "sharp";
import type { ImageGenerator } from "../../src/core/models.js";
import type { HostedGeneratorOptions } from "../../src/models/image-generation/hosted-generator.js";
import { a1111 } from "../../src/models/image-services/a1111.js";
import { bfl } from "../../src/models/image-services/bfl.js";
import { chatImages } from "../../src/models/image-services/chat-images.js";
import { comfyUi } from "../../src/models/image-services/comfyui.js";
import { fal } from "../../src/models/image-services/fal.js";
import { geminiImages } from "../../src/models/image-services/gemini-images.js";
import { hfInference } from "../../src/models/image-services/hf-inference.js";
import { replicate } from "../../src/models/image-services/replicate.js";
import { stability } from "../../src/models/image-services/stability.js";

/** A call as a service receives it, its JSON or form read. */
export interface ServiceCallReceived {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a body of any service's.
  readonly body: any;
}

/** What a service has at hand to answer a call with. */
interface At {
  readonly base: string;
  /** Begins an image, which is paid for, and says its number. */
  begin(prompt: string, seed: number): string;
  /** The prompt and seed that were begun under a number. */
  of(id: string): { readonly prompt: string; readonly seed: number } | undefined;
}

/** A service of images as its documents say it answers. */
export interface DocumentedService {
  readonly name: string;
  make(options: HostedGeneratorOptions): ImageGenerator;
  /** Answers a call; `undefined` for one that it does not know. */
  answer(call: ServiceCallReceived, at: At): Promise<Response | undefined>;
}

/** The image that a service makes of a prompt and a seed: another for each. */
export function imageOf(prompt: string, seed: number): Promise<Buffer> {
  const [r = 0, g = 0, b = 0] = createHash("sha256").update(`${seed} ${prompt}`).digest();
  const create = { width: 8, height: 8, channels: 3, background: { r, g, b } } as const;
  return sharp({ create }).png().toBuffer();
}

const base64Of = async (prompt: string, seed: number) =>
  (await imageOf(prompt, seed)).toString("base64");
const image = async (at: At, id: string) => {
  const { prompt, seed } = at.of(id) ?? { prompt: "", seed: 0 };
  return new Response(new Uint8Array(await imageOf(prompt, seed)), {
    headers: { "content-type": "image/png" },
  });
};
const lastOf = ({ pathname }: URL) => pathname.split("/").at(-1) ?? "";

export const workflow = {
  "1": { class_type: "CheckpointLoaderSimple", inputs: { ckpt_name: "tiny.safetensors" } },
  "2": { class_type: "CLIPTextEncode", inputs: { text: "%prompt%", clip: ["1", 1] } },
  "3": { class_type: "CLIPTextEncode", inputs: { text: "%negative%", clip: ["1", 1] } },
  "4": {
    class_type: "KSampler",
    inputs: { seed: "%seed%", steps: 4, cfg: 1.5, sampler_name: "euler", positive: ["2", 0] },
  },
  "5": { class_type: "SaveImage", inputs: { images: ["4", 0], filename_prefix: "t-%date:yyyy%" } },
};

export const documentedServices: readonly DocumentedService[] = [
  {
    name: "a1111",
    make: (options) => a1111("tiny", options),
    async answer({ url, body }, at) {
      if (!url.pathname.endsWith("/sdapi/v1/txt2img")) return undefined;
      at.begin(body.prompt, body.seed);
      const info = {
        prompt: body.prompt,
        seed: body.seed,
        steps: 20,
        cfg_scale: 7,
        sampler_name: "Euler a",
        width: 512,
        height: 512,
        sd_model_name: "tiny",
        sd_model_hash: "6ce0161689",
      };
      const images = [await base64Of(body.prompt, body.seed)];
      return Response.json({ images, parameters: {}, info: JSON.stringify(info) });
    },
  },
  {
    name: "comfyui",
    make: (options) => comfyUi("tiny", { ...options, workflow }),
    async answer({ url, body }, at) {
      const id = lastOf(url);
      if (url.pathname.endsWith("/prompt")) {
        const { prompt } = body;
        const begun = at.begin(prompt["2"].inputs.text, prompt["4"].inputs.seed);
        return Response.json({ prompt_id: begun, number: 1, node_errors: {} });
      }
      if (id === "queue") return Response.json({ queue_running: [], queue_pending: [] });
      if (id === "view") return image(at, url.searchParams.get("filename")?.slice(0, -4) ?? "");
      if (!url.pathname.includes("/history/")) return undefined;
      if (at.of(id) === undefined) return Response.json({});
      const images = [{ filename: `${id}.png`, subfolder: "", type: "output" }];
      const status = { status_str: "success", completed: true, messages: [] };
      return Response.json({ [id]: { prompt: [1, id, {}], outputs: { "5": { images } }, status } });
    },
  },
  {
    name: "chat-images",
    make: (options) => chatImages("owner/painter", options),
    async answer({ url, body }, at) {
      if (!url.pathname.endsWith("/chat/completions")) return undefined;
      const prompt = body.messages[0].content;
      at.begin(prompt, body.seed);
      const address = `data:image/png;base64,${await base64Of(prompt, body.seed)}`;
      const images = [{ type: "image_url", image_url: { url: address } }];
      const message = { role: "assistant", content: "Here it is.", images };
      return Response.json({
        choices: [{ message, finish_reason: "stop", native_finish_reason: "STOP" }],
        usage: { prompt_tokens: 8, completion_tokens: 1290, total_tokens: 1298, cost: 0.039 },
      });
    },
  },
  {
    name: "gemini-images",
    make: (options) => geminiImages("gemini-tiny-image", options),
    async answer({ url, body }, at) {
      if (!url.pathname.endsWith("/models/gemini-tiny-image:generateContent")) return undefined;
      const prompt = body.contents[0].parts[0].text;
      const { seed } = body.generationConfig;
      at.begin(prompt, seed);
      const of = async (text: string) => ({
        inlineData: { mimeType: "image/png", data: await base64Of(text, seed) },
      });
      const parts = [
        { text: "A first sketch.", thought: true },
        { ...(await of("a sketch")), thought: true },
        { text: "Here it is." },
        await of(prompt),
      ];
      return Response.json({
        candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }],
        usageMetadata: {
          promptTokenCount: 8,
          candidatesTokenCount: 1290,
          thoughtsTokenCount: 60,
          totalTokenCount: 1358,
        },
        modelVersion: "gemini-tiny-image",
      });
    },
  },
  {
    name: "bfl",
    make: (options) => bfl("flux-tiny", options),
    async answer({ url, body }, at) {
      if (url.pathname.includes("/delivery/")) return image(at, lastOf(url));
      if (lastOf(url) === "flux-tiny") {
        const id = at.begin(body.prompt, body.seed);
        return Response.json({ id, polling_url: `${at.base}/get_result?id=${id}`, cost: 4 });
      }
      if (lastOf(url) !== "get_result") return undefined;
      const id = url.searchParams.get("id") ?? "";
      const begun = at.of(id);
      if (begun === undefined) return Response.json({ id, status: "Task not found", result: null });
      const result = { ...begun, sample: `${at.base}/delivery/${id}`, duration: 1.5 };
      return Response.json({ id, status: "Ready", result });
    },
  },
  {
    name: "stability",
    make: (options) => stability("core", options),
    async answer({ url, body }, at) {
      if (!url.pathname.endsWith("/stable-image/generate/core")) return undefined;
      const seed = Number(body.seed);
      at.begin(body.prompt, seed);
      const made = await base64Of(body.prompt, seed);
      return Response.json({ image: made, finish_reason: "SUCCESS", seed });
    },
  },
  {
    name: "hf-inference",
    make: (options) => hfInference("owner/painter", options),
    async answer({ url, body }, at) {
      if (!url.pathname.endsWith("/owner/painter")) return undefined;
      return image(at, at.begin(body.inputs, body.parameters.seed));
    },
  },
  {
    name: "replicate",
    make: (options) => replicate("owner/painter", options),
    async answer({ url, body }, at) {
      if (url.pathname.includes("/delivery/")) return image(at, lastOf(url));
      if (url.pathname.endsWith("/models/owner/painter/predictions")) {
        const id = at.begin(body.input.prompt, body.input.seed);
        return Response.json({ id, status: "starting", output: null, error: null });
      }
      const id = lastOf(url);
      if (at.of(id) === undefined) return Response.json({ detail: "No" }, { status: 404 });
      return Response.json({ id, status: "succeeded", output: [`${at.base}/delivery/${id}`] });
    },
  },
  {
    name: "fal",
    make: (options) => fal("owner/painter", options),
    async answer({ url, body }, at) {
      if (url.pathname.includes("/delivery/")) return image(at, lastOf(url));
      if (url.pathname.endsWith("/owner/painter")) {
        const id = at.begin(body.prompt, body.seed);
        const response_url = `${at.base}/requests/${id}`;
        return Response.json({
          request_id: id,
          response_url,
          status_url: `${response_url}/status`,
        });
      }
      const [, id = ""] = /\/requests\/(\w+)/.exec(url.pathname) ?? [];
      if (at.of(id) === undefined) return Response.json({ detail: "No" }, { status: 404 });
      if (lastOf(url) === "status") return Response.json({ status: "COMPLETED" });
      return Response.json({ images: [{ url: `${at.base}/delivery/${id}` }] });
    },
  },
];

/** @throws Error for a name that none has. */
export function documentedService(name: string): DocumentedService {
  const found = documentedServices.find((one) => one.name === name);
  if (found === undefined) throw new Error(`No service is called ${name}`);
  return found;
}

/** Reads a call that goes out by fetch. */
export async function receivedCall(
  address: Parameters<typeof fetch>[0],
  init: RequestInit = {},
): Promise<ServiceCallReceived> {
  const request = new Request(String(address), init);
  const { method, headers } = request;
  const isForm = /^multipart/.test(headers.get("content-type") ?? "");
  const text = isForm ? "" : await request.clone().text();
  const body = isForm
    ? Object.fromEntries(await request.formData())
    : text === ""
      ? undefined
      : JSON.parse(text);
  return { url: new URL(String(address)), method, headers, body };
}

/** A service that runs in this process, and what it has begun; `misbehave` may answer in its place. */
export function runningService(
  service: DocumentedService,
  misbehave: (
    call: ServiceCallReceived,
    sound: () => Promise<Response>,
  ) => Promise<Response> | Response = (_, sound) => sound(),
) {
  const base = "https://images.test/v1";
  const begun: { prompt: string; seed: number }[] = [];
  const received: ServiceCallReceived[] = [];
  const at: At = {
    base,
    begin: (prompt, seed) => `job${begun.push({ prompt, seed })}`,
    of: (id) => begun[Number(id.slice(3)) - 1],
  };
  const answering: typeof globalThis.fetch = async (address, init) => {
    init?.signal?.throwIfAborted();
    const call = await receivedCall(address, { ...init, signal: null });
    received.push(call);
    const sound = async () =>
      (await service.answer(call, at)) ?? Response.json({ detail: "Not Found" }, { status: 404 });
    return misbehave(call, sound);
  };
  return { base, begun, received, fetch: answering };
}
