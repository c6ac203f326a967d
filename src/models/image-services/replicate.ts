import { z } from "zod";
import { NoAnswer } from "../../core/unscored.js";
import { finalRefusal } from "../http/call-failure.js";
import { replyReader } from "../http/reply-reader.js";
import { imageService } from "../image-generation/image-service.js";

/** How long a call is held open for the image, in seconds; after that it is asked for. */
const heldOpen = 30;

const schema = z.object({
  id: z.string().regex(/^[A-Za-z0-9_-]+$/),
  status: z.enum(["starting", "processing", "succeeded", "failed", "canceled", "aborted"]),
  output: z.unknown().optional(),
  error: z.unknown().optional(),
});

type Prediction = z.output<typeof schema>;

/**
 * A generator at Replicate, by its API of predictions: the call is held open for a while, then the
 * image is asked for until it is there, and fetched. The first image of the output is taken.
 *
 * @param model `owner/name`; `revision` is the version's id, for models that are not official ones
 * @throws from `generate`: as `imageService`; NoAnswer "provider-error" also for a prediction that was
 *   cancelled or holds no image.
 * @example replicate("black-forest-labs/flux-schnell", { apiKey })
 */
export const replicate = imageService<Prediction>("replicate", ({ model, input, revision }) => {
  // A prediction tells how it went in a member `error`.
  const asked = { read: replyReader(schema, "prediction"), mayHoldError: true } as const;
  return {
    begins: true,
    headers: { prefer: `wait=${heldOpen}` },
    call({ prompt, seed }) {
      const body = { input: { ...input, prompt, seed } };
      return revision === undefined
        ? { ...asked, path: `models/${model}/predictions`, body }
        : { ...asked, path: "predictions", body: { ...body, version: revision } };
    },
    async image(created, _, { ask, wait, baseUrl }) {
      let first: Prediction | undefined = created;
      const value = await wait(async () => {
        const current = first ?? (await ask({ ...asked, path: `predictions/${created.id}` }));
        first = undefined;
        return ["starting", "processing"].includes(current.status) ? undefined : current;
      });
      const { id, status, output, error } = value;
      if (status !== "succeeded") {
        const said = typeof error === "string" && error !== "" ? `: ${error.slice(0, 300)}` : "";
        const isRefused = finalRefusal({ message: said }) === "content";
        const words = `${baseUrl}: the prediction ${id} ${status}${said}`;
        throw new NoAnswer(isRefused ? "refused" : "provider-error", words);
      }
      const url = firstUrl(output);
      return { ...(url === undefined ? {} : { url }), reply: { id, status } };
    },
  };
});

/** Outputs are an address, a list of them, or an object that holds one. */
function firstUrl(output: unknown): string | undefined {
  if (typeof output === "string") return output;
  if (typeof output !== "object" || output === null) return undefined;
  for (const inner of Object.values(output)) {
    const found = firstUrl(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}
