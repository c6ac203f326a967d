import { z } from "zod";
import type { CallOptions, Localizer, Mask, Picture } from "../../core/models.js";
import { NoAnswer } from "../../core/unscored.js";
import { cocoMaskSchema, maskOfCoco } from "../../images/coco-mask.js";
import { CallFailure } from "../http/call-failure.js";
import type { JsonClient } from "../http/json-client.js";
import { type KeyedClientOptions, keyedClient } from "../http/keyed-client.js";
import { refusalOf } from "../http/refusals.js";
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
 * are empty the entity is nowhere. `bridge/touchstone_bridge/segment_http.py` is a server that does so.
 *
 * @param url where the server is, such as http://localhost:8100
 * @throws InputError for an address that can't be called; NoAnswer, when asked, as all models over HTTP.
 * @example segmentHttp("http://localhost:8100")
 */
export function segmentHttp(url: string, options: SegmentHttpOptions = {}): Localizer {
  const { revision, keyName = "", ...rest } = options;
  const client = keyedClient({ ...rest, baseUrl: url, keyName });
  const { baseUrl, hasKey } = client;
  let hasAnswered = false;
  return {
    identity: {
      provider: "segment-http",
      model: "segment",
      baseUrl,
      ...(revision === undefined ? {} : { revision }),
    },
    async localize(image, entity, callOptions = {}) {
      const reply = await ask(client, { image, entity }, callOptions).catch((error: unknown) => {
        if (!(error instanceof CallFailure)) throw error;
        throw refusalOf(error, { model: "segment", baseUrl, keyName, hasKey, hasAnswered });
      });
      hasAnswered = true;
      return maskOfReply(reply, image);
    },
  };
}

async function ask(
  client: JsonClient,
  { image, entity }: { readonly image: Picture; readonly entity: string },
  options: CallOptions,
) {
  const body = {
    image: Buffer.from(image.bytes).toString("base64"),
    mediaType: image.mediaType,
    entity,
  };
  const { value, attempts } = await client.call(
    { path: "segment", body, read: replyReader(schema, "reply with masks or boxes") },
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

function maskOfReply({ masks, boxes }: z.output<typeof schema>, image: Picture): Mask | undefined {
  if (masks === undefined && boxes === undefined) {
    throw new NoAnswer(
      "unparsable",
      "Expected masks or boxes from the segmenter but received neither",
    );
  }
  const coco = masks?.flat() ?? boxes?.map((bbox) => ({ bbox })) ?? [];
  const mask = maskOfCoco(coco, image);
  if (typeof mask === "string")
    throw new NoAnswer("unparsable", `Expected ${mask} (from the segmenter)`);
  return mask.data.includes(1) ? mask : undefined;
}
