import { z } from "zod";
import { InputError } from "../../core/errors.js";
import { canonicalJson, type Json, type JsonObject } from "../../core/json.js";
import type { GenerationRequest, ImageGenerator } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { errorBody } from "../http/error-body.js";
import { replyReader } from "../http/reply-reader.js";
import { makingOf } from "../image-generation/image-making.js";
import {
  type ImageServiceOptions,
  JobLost,
  type ServiceWays,
  servedImages,
} from "../image-generation/image-service.js";
import { filledWorkflow, type Workflow, workflowMaking } from "./comfyui-workflow.js";

const queued = z.object({
  prompt_id: z.string().min(1),
  /** Nodes that are left out, where others were queued. */
  node_errors: z.record(z.string(), z.unknown()).or(z.array(z.unknown())).nullish(),
});

const file = z.object({
  filename: z.string(),
  subfolder: z.string().nullish(),
  type: z.string().nullish(),
});
type File = z.output<typeof file>;

const entry = z.object({
  /** Its number, its id, and the workflow as it was sent. */
  prompt: z.array(z.unknown()).nullish(),
  outputs: z.record(z.string(), z.looseObject({ images: z.array(file).nullish() })).default({}),
  status: z
    .looseObject({
      status_str: z.string().nullish(),
      completed: z.boolean().nullish(),
      messages: z.array(z.array(z.unknown())).nullish(),
    })
    .nullish(),
});
type Entry = z.output<typeof entry>;
const history = z.record(z.string(), entry);

const queue = z.object({
  queue_running: z.array(z.array(z.unknown())),
  queue_pending: z.array(z.array(z.unknown())),
});

export interface ComfyUiOptions extends ImageServiceOptions {
  /** In the API's format; `%prompt%` and `%seed%` stand in its values. */
  readonly workflow: Workflow;
}

/**
 * A generator behind ComfyUI: a workflow whose values hold `%prompt%` and `%seed%`, and where wanted
 * `%negative%`, `%width%`, `%height%` and any other member of `input`, is queued, waited for and looked up.
 *
 * @param name what records call it, such as the workflow's file
 * @throws InputError for a workflow that lacks them; from `generate`: as `servedImages`, and InputError for a
 *   workflow that the server refuses, with the node and its words.
 * @example comfyUi("flux", { workflow, input: { width: 1024, height: 1024 } })
 */
export function comfyUi(
  name: string,
  { workflow, input = {}, ...options }: ComfyUiOptions,
): ImageGenerator {
  const fill = ({ prompt, seed }: GenerationRequest) =>
    filledWorkflow(workflow, {
      ...input,
      prompt,
      seed,
      negative: input.negative ?? input.negative_prompt ?? "",
    });
  // What is missing is said before anything is made.
  fill({ prompt: "", seed: 0 });
  return servedImages(
    "comfyui",
    name,
    {
      // Every part of the workflow makes another image.
      input: { ...input, workflow },
      begins: true,
      call: (request) => ({
        path: "prompt",
        body: { prompt: fill(request) },
        read: replyReader(queued, "queued prompt"),
      }),
      async image({ prompt_id: id, node_errors }, request, ways) {
        if (Object.keys(node_errors ?? {}).length > 0) {
          const { message } = errorBody(JSON.stringify({ error: "some nodes", node_errors }));
          throw new NoAnswer("bad-input", `${ways.baseUrl} left out ${message}`);
        }
        const found = await ended(id, ways);
        const node = failure(found);
        if (node !== undefined) throw new NoAnswer("provider-error", `${ways.baseUrl}: ${node}`);
        const filled = fill(request);
        const image = imageIn(found) ?? (await earlier(filled, ways));
        const { filename, subfolder, type } = image;
        const place = { filename, subfolder: subfolder ?? "", type: type ?? "output" };
        const bytes = await ways.ask({
          path: `view?${new URLSearchParams(place)}`,
          ofImage: (bytes) => Buffer.from(bytes).toString("base64"),
          read: replyReader(z.string().min(1), "image"),
        });
        return {
          bytes: Buffer.from(bytes, "base64"),
          making: { ...workflowMaking(filled), ...makingOf(input) },
          reply: { prompt_id: id, ...place },
        };
      },
      explain: ({ status, message }) =>
        status === 400
          ? new InputError(`Expected a workflow that the server takes but received ${message}`, {
              hint: "Mend the workflow in ComfyUI and export it again (Export (API)).",
            })
          : undefined,
    },
    options,
  );
}

/** What became of a prompt; waits until it is in the history. */
function ended(id: string, { ask, wait, baseUrl }: ServiceWays): Promise<Entry> {
  const look = async () => {
    const read = replyReader(history, "history");
    return (await ask({ path: `history/${encodeURIComponent(id)}`, read }))[id];
  };
  return wait(async () => {
    const found = await look();
    if (found !== undefined)
      return found.status?.completed === false && !failure(found) ? undefined : found;
    const { queue_running, queue_pending } = await ask({
      path: "queue",
      read: replyReader(queue, "queue"),
    });
    if ([...queue_running, ...queue_pending].some((one) => one.includes(id))) return undefined;
    // It may have ended between the two looks.
    const late = await look();
    if (late !== undefined) return late;
    throw new JobLost(`${baseUrl} has the prompt ${id} neither in its queue nor in its history`);
  });
}

/** The node at which a prompt failed, and its words. */
function failure({ status }: Entry): string | undefined {
  const messages = status?.messages ?? [];
  const of = (name: string) => Object(messages.find(([said]) => said === name)?.[1]);
  const { node_id, node_type, exception_message } = of("execution_error");
  if (exception_message !== undefined) {
    return `node ${node_id} (${node_type}) failed: ${String(exception_message).trim().slice(0, 300)}`;
  }
  const interrupted = of("execution_interrupted");
  if (interrupted.prompt_id !== undefined)
    return `it was interrupted at node ${interrupted.node_id}`;
  return status?.status_str === "error" ? "the prompt failed without a word" : undefined;
}

/**
 * The first image that a node saved; else the first that one showed.
 *
 * @throws NoAnswer "bad-input" where several nodes saved some.
 */
function imageIn({ outputs }: Entry): File | undefined {
  const nodes = Object.entries(outputs).map(([id, { images }]) => ({ id, images: images ?? [] }));
  const saving = nodes.filter(({ images }) => images.some(({ type }) => type !== "temp"));
  if (saving.length > 1) {
    throw new NoAnswer(
      "bad-input",
      `Expected one node that saves images but ${saving.map(({ id }) => id).join(" and ")} did; ` +
        "let the others preview them",
    );
  }
  const [saved] = saving.flatMap(({ images }) => images.filter(({ type }) => type !== "temp"));
  return saved ?? nodes.flatMap(({ images }) => images)[0];
}

/** The image of the same workflow from before: of one that is all cached, some versions list none again. */
async function earlier(workflow: JsonObject, { ask, baseUrl }: ServiceWays): Promise<File> {
  const same = canonicalJson(workflow);
  const all = await ask({ path: "history", read: replyReader(history, "history") });
  for (const one of Object.values(all).reverse()) {
    const sent = one.prompt?.[2];
    if (typeof sent !== "object" || sent === null || canonicalJson(sent as Json) !== same) continue;
    const image = imageIn(one);
    if (image !== undefined) return image;
  }
  throw new NoAnswer("provider-error", `${baseUrl} ended the prompt without an image`);
}
