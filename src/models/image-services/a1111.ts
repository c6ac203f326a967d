import { z } from "zod";
import { InputError } from "../../core/errors.js";
import type { ImageGenerator } from "../../core/models.js";
import { readJson } from "../../core/read-json.js";
import type { ImageMaking } from "../../core/records.js";
import { NoAnswer } from "../../core/unscored.js";
import { replyReader } from "../http/reply-reader.js";
import { makingOf } from "../image-generation/image-making.js";
import { type ImageServiceOptions, imageService } from "../image-generation/image-service.js";

const schema = z.object({
  images: z.array(z.string()).min(1),
  info: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
});

/** Facts of an image in `info`, which is JSON as text. */
const facts = z.looseObject({
  prompt: z.string().nullish().catch(undefined),
  seed: z.number().nullish().catch(undefined),
  sd_model_name: z.string().nullish().catch(undefined),
  sd_model_hash: z.string().nullish().catch(undefined),
});
type Facts = z.output<typeof facts>;

/** A server's name where no model is named: whatever it has loaded. */
const loadedModel = "loaded";

/**
 * A generator behind AUTOMATIC1111's API, which Forge and SD.Next speak, too (`--api`).
 *
 * @param model a checkpoint as the server lists it, which it then loads; `loaded` for the one that it has
 * @throws from `generate`: as `imageService`; NoAnswer "provider-error" also where the server made the
 *   image with another checkpoint or seed.
 * @example a1111("loaded", { input: { steps: 20, cfg_scale: 7, sampler_name: "Euler a" } })
 */
export const a1111 = (
  model: string = loadedModel,
  options: ImageServiceOptions = {},
): ImageGenerator => ofServer(model, options);

const ofServer = imageService("a1111", ({ model, input }) => {
  const checkpoint = model === loadedModel ? {} : { sd_model_checkpoint: model };
  return {
    call: ({ prompt, seed }) => ({
      path: "sdapi/v1/txt2img",
      body: {
        ...input,
        prompt,
        seed,
        batch_size: 1,
        n_iter: 1,
        send_images: true,
        override_settings: { ...Object(input.override_settings), ...checkpoint },
        // Kept loaded: the next image is of the same one.
        override_settings_restore_afterwards: false,
      },
      read: replyReader(schema, "reply with images"),
    }),
    image({ images: [image = ""], info }, { prompt, seed }, { baseUrl }) {
      const said = factsOf(info);
      const { seed: used, sd_model_name: name, prompt: drawn } = said;
      if (used != null && used !== seed) {
        throw new NoAnswer(
          "provider-error",
          `${baseUrl} made the image with the seed ${used}, not ${seed}`,
        );
      }
      if (model !== loadedModel && name && !isSame(model, said)) {
        throw new NoAnswer("provider-error", `${baseUrl} made the image by ${name}, not ${model}`);
      }
      return {
        bytes: Buffer.from(image.replace(/^data:[^,]*,/, ""), "base64"),
        revisedPrompt: drawn && drawn !== prompt ? drawn : undefined,
        making: madeBy(said),
        reply: { seed: used ?? null, ...weights(said) },
      };
    },
    explain: ({ status, message }) =>
      status === 404 && /^HTTP 404: Not Found$/.test(message)
        ? new InputError(`Expected an API at sdapi/v1/txt2img but received ${message}`, {
            hint: "Start the server with --api, and name its address without a path (baseUrl)",
          })
        : undefined,
  };
});

function factsOf(info: z.output<typeof schema>["info"]): Facts {
  try {
    return facts.parse(typeof info === "string" ? readJson(info) : (info ?? {}));
  } catch {
    return {};
  }
}

const weights = ({ sd_model_name: name, sd_model_hash: hash }: Facts) => {
  const said = [name, hash && `[${hash}]`].filter(Boolean).join(" ");
  return said === "" ? {} : { weights: said };
};

const madeBy = (said: Facts): ImageMaking => ({ ...makingOf(said), ...weights(said) });

/** A checkpoint is listed as `folder/name.safetensors [hash]`, and an image names it `name` or `folder_name`. */
function isSame(asked: string, { sd_model_name: name, sd_model_hash: hash }: Facts): boolean {
  const [, askedHash] = / \[([0-9a-f]+)\]$/.exec(asked) ?? [];
  if (askedHash !== undefined && hash) return hash.startsWith(askedHash);
  const bare = (text: string) =>
    text
      .replace(/ \[[0-9a-f]+\]$/, "")
      .replace(/\.(safetensors|ckpt|gguf|pt)$/i, "")
      .toLowerCase();
  const joined = (path: string) => path.replaceAll(/[\\/]/g, "_");
  const path = bare(asked);
  const file = path.split(/[\\/]/).at(-1);
  return [joined(path), file].includes(joined(bare(name ?? ""))) || asked === hash;
}
