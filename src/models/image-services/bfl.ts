import { z } from "zod";
import { NoAnswer } from "../../core/unscored.js";
import { replyReader } from "../http/reply-reader.js";
import { imageService, JobLost, type ServiceWays } from "../image-generation/image-service.js";

const submitted = z.object({
  id: z.string().min(1),
  polling_url: z.string(),
  /** In credits, which are US cents. */
  cost: z.number().min(0).nullish().catch(undefined),
});

const state = z.object({
  status: z.string(),
  result: z
    .object({
      sample: z.string().nullish(),
      prompt: z.string().nullish().catch(undefined),
      seed: z.number().nullish().catch(undefined),
    })
    .nullish(),
  details: z.unknown().optional(),
});

/**
 * A generator of Black Forest Labs: submitted, asked after at the address that the reply names, and
 * fetched at once, since the image's own address expires.
 *
 * @param model such as `flux-pro-1.1`
 * @throws from `generate`: as `imageService`.
 * @example bfl("flux-pro-1.1", { apiKey, input: { width: 1024, height: 1024 } })
 */
export const bfl = imageService("bfl", ({ model, input }) => ({
  begins: true,
  call: ({ prompt, seed }) => ({
    path: model,
    body: { ...input, prompt, seed },
    read: replyReader(submitted, "submitted task"),
  }),
  async image({ id, polling_url, cost }, { prompt, seed }, { ask, wait, baseUrl }) {
    const path = trusted(polling_url, baseUrl);
    const read = replyReader(state, "state of a task");
    const { status, result, details } = await wait(async () => {
      const now = await ask({ path, read });
      return endings.test(now.status) ? now : undefined;
    });
    const said = details ? `: ${JSON.stringify(details).slice(0, 300)}` : "";
    const words = `${baseUrl}: the task ${id} ended as "${status}"${said}`;
    if (/moderated/i.test(status)) throw new NoAnswer("refused", words);
    if (/not found/i.test(status)) throw new JobLost(words);
    if (status !== "Ready") throw new NoAnswer("provider-error", words);
    const { sample, prompt: drawn, seed: used = seed } = result ?? {};
    if (used !== null && used !== seed) {
      throw new NoAnswer("provider-error", `${words} with the seed ${used}, not ${seed}`);
    }
    return {
      ...(sample ? { url: sample } : {}),
      revisedPrompt: drawn && drawn !== prompt ? drawn : undefined,
      ...(cost == null ? {} : { cost: cost / 100 }),
      reply: { id, status },
    };
  },
}));

/** Any other status, such as Pending, may still change. */
const endings = /^(ready|error|failed|task not found|(request|content) moderated)$/i;

/** The address to ask at, which may be of another cluster: the key goes to the base URL's own domain alone. */
function trusted(address: string, baseUrl: ServiceWays["baseUrl"]): string {
  const [url, base] = [address, baseUrl].map((one) => (URL.canParse(one) ? new URL(one) : null));
  const domain = base?.hostname.split(".").slice(-2).join(".");
  const isOwn = url?.origin === base?.origin;
  const isSibling = domain === "bfl.ai" && url?.protocol === "https:";
  if (isOwn || (isSibling && url.hostname.endsWith(`.${domain}`))) return address;
  throw new NoAnswer("provider-error", `Expected an address of ${baseUrl} in the reply`);
}
