import { z } from "zod";
import { keyOf } from "../../core/keys.js";
import type { Box, CallOptions, Detector, Localizer, Mask, Picture } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { boxesOfCoco, type CocoMask, cocoMaskSchema, maskOfCoco } from "../../images/coco-mask.js";
import { plainImage } from "../../images/plain-image.js";
import { ReplyStore } from "../cache/reply-store.js";
import type { JsonClient } from "../http/json-client.js";
import { type KeyedClientOptions, keyedClient } from "../http/keyed-client.js";
import { Refusals } from "../http/refusals.js";
import { replyReader } from "../http/reply-reader.js";

export interface SegmentHttpOptions extends Partial<Omit<KeyedClientOptions, "baseUrl">> {
  /** Which of the server's models, for its name in records; what the server calls it where not given. */
  readonly revision?: string | undefined;
}

const schema = z.object({
  masks: z.array(cocoMaskSchema).optional(),
  boxes: z.array(z.tuple([z.number(), z.number(), z.number(), z.number()])).optional(),
});

/**
 * A segmenter behind HTTP. `POST URL/segment` with
 * `{ "image": "<base64>", "mediaType": "image/png", "entity": "skirt" }`; the reply is
 * `{ "masks": [{ "size": [height, width], "counts": … }] }`, COCO's run lengths, compressed or not, or, of a
 * detector that has boxes only, `{ "boxes": [[x, y, width, height]] }`. The mask is their union; where both
 * are empty the entity is nowhere. An image is asked about an entity once: its reply is held as long as the
 * model lives, and no longer, since nothing names what stands behind the address. As a detector it gives the boxes, or one around each mask. `bridge/touchstone_bridge/segment_http.py` is a server that does so.
 *
 * @param url where the server is, such as http://localhost:8100
 * @throws InputError for an address that can't be called; NoAnswer, when asked, as all models over HTTP.
 * @example segmentHttp("http://localhost:8100")
 */
export function segmentHttp(url: string, options: SegmentHttpOptions = {}): Localizer & Detector {
  const { revision, keyName = "", ...rest } = options;
  const client = keyedClient({ ...rest, baseUrl: url, keyName });
  const { baseUrl } = client;
  const refusals = new Refusals(client, { model: "segment", keyName });
  const replies = new ReplyStore();
  const asked = async (image: Picture, entity: string, callOptions: CallOptions) => {
    const key = keyOf({ image: image.hash, entity });
    const { made, isShared } = await replies.once(key, async () => {
      const held = await replies.read(key);
      if (held !== undefined) return { value: schema.parse(JSON.parse(held)), isHeld: true };
      const value = await refusals.during(image.hash, () =>
        ask(client, { image, entity }, callOptions),
      );
      await replies.write(key, JSON.stringify(value));
      return { value, isHeld: false };
    });
    if (made.isHeld || isShared)
      callOptions.trace?.({ kind: "segment-call", cached: true, entity });
    return cocoOfReply(made.value);
  };
  return {
    identity: {
      provider: "segment-http",
      model: "segment",
      baseUrl,
      ...(revision === undefined ? {} : { revision }),
    },
    async localize(image, entity, callOptions = {}) {
      const mask = sound(maskOfCoco(await asked(image, entity, callOptions), image));
      return mask.data.includes(1) ? mask : undefined;
    },
    async detect(image, entity, callOptions = {}) {
      return sound(boxesOfCoco(await asked(image, entity, callOptions), image));
    },
  };
}

async function ask(
  client: JsonClient,
  { image, entity }: { readonly image: Picture; readonly entity: string },
  options: CallOptions,
) {
  const { bytes, mediaType } = await plainImage(image);
  const body = { image: Buffer.from(bytes).toString("base64"), mediaType, entity };
  const { value, attempts } = await client.call(
    {
      path: "segment",
      body,
      item: image.hash,
      mostBytes: 64 * 2 ** 20,
      read: replyReader(schema, "reply with masks or boxes"),
    },
    options,
  );
  options.trace?.({
    kind: "segment-call",
    entity,
    attempts,
    masks: value.masks?.length ?? 0,
    boxes: value.boxes?.length ?? 0,
  });
  return value;
}

function cocoOfReply({ masks, boxes }: z.output<typeof schema>): CocoMask {
  if (masks === undefined && boxes === undefined) {
    throw new NoAnswer(
      "unparsable",
      "Expected masks or boxes from the segmenter but received neither",
    );
  }
  return masks?.flat() ?? boxes?.map((bbox) => ({ bbox })) ?? [];
}

function sound<Made extends Mask | readonly Box[]>(made: Made | string): Made {
  if (typeof made !== "string") return made;
  throw new NoAnswer("unparsable", `Expected ${made} (from the segmenter)`);
}
