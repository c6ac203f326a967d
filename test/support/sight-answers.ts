import { decode } from "fast-png";
import sharp from "sharp";

const colours = {
  red: [255, 0, 0],
  green: [0, 128, 0],
  blue: [0, 0, 255],
  yellow: [255, 255, 0],
  black: [0, 0, 0],
  white: [255, 255, 255],
} as const;
const names = Object.keys(colours);

interface WirePart {
  readonly type?: string;
  readonly text?: string;
  readonly image_url?: { readonly url: string };
}

interface WireBody {
  readonly messages?: readonly { readonly content: unknown }[];
  readonly [name: string]: unknown;
}

/** What the sight check asks of a chat model: how many stripes each image has, none of one with a disc; `undefined` for other questions. */
export function sightAsked(body: WireBody): { stripes: number; images: string[] } | undefined {
  const { text, images } = partsOf(body);
  const stripes = /has four vertical stripes of equal width/.test(text)
    ? 4
    : /have two vertical stripes of equal width each/.test(text)
      ? 2
      : /^Which colour is this image: red,/.test(text)
        ? 1
        : /^There is one disc in this image/.test(text)
          ? 0
          : undefined;
  return stripes === undefined ? undefined : { stripes, images };
}

/** Names the colours of an image of vertical stripes, as who sees it does. */
export async function stripesSeen(image: string, stripes: number): Promise<string[]> {
  const bytes = Buffer.from(image, "base64");
  const { data, info } = await sharp(bytes)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  if (stripes === 0) {
    const at = data.findIndex((level) => Math.abs(level - 128) > 64);
    return [nameOf(data, at - (at % 3))];
  }
  return Array.from({ length: stripes }, (_, at) => {
    const x = Math.floor(((at + 0.5) * info.width) / stripes);
    return nameOf(data, 3 * (Math.floor(info.height / 2) * info.width + x));
  });
}

function nameOf(data: Buffer, at: number): string {
  const far = (levels: readonly number[]) =>
    levels.reduce((sum, level, channel) => sum + (level - (data[at + channel] ?? 0)) ** 2, 0);
  const [[name] = [""]] = Object.entries(colours).sort(([, a], [, b]) => far(a) - far(b));
  return name;
}

/** Answers what the sight check asks of a chat model, from the pixels. */
export async function sightAnswer(
  body: WireBody,
  says: (seen: string[][]) => string = (seen) => seen.flat().join(", "),
): Promise<string> {
  const asked = sightAsked(body);
  if (asked === undefined) throw new Error("Expected a question of the sight check");
  const seen = await Promise.all(asked.images.map((image) => stripesSeen(image, asked.stripes)));
  return says(seen);
}

/** The same of an embedder: a direction for each colour; `undefined` for all but texts and images of the check. */
export function sightEmbedding(body: WireBody): number[] | undefined {
  const [input] = [body.input].flat();
  const text = body.messages === undefined ? String(input) : partsOf(body).text;
  const [, named] = /^an? (red|green|blue|yellow|black|white) image$/.exec(text) ?? [];
  const name = named ?? plainColour(partsOf(body).images[0]);
  return name === undefined ? undefined : names.map((one) => (one === name ? 1 : 0));
}

/** The colour of a PNG, if it has one of the six alone; at once, since clocks of tests don't wait. */
function plainColour(image: string | undefined): string | undefined {
  const bytes = Buffer.from(image ?? "", "base64");
  if (bytes.subarray(1, 4).toString() !== "PNG") return undefined;
  const { data, channels } = decode(bytes);
  const first = String(data.subarray(0, 3));
  for (let at = channels; at < data.length; at += channels) {
    if (String(data.subarray(at, at + 3)) !== first) return undefined;
  }
  return Object.entries(colours).find(([, own]) => String(own) === first)?.[0];
}

function partsOf({ messages = [] }: WireBody): { text: string; images: string[] } {
  const content = messages.at(-1)?.content;
  const parts = (Array.isArray(content) ? content : [{ text: content }]) as WirePart[];
  return {
    text: parts.map(({ text }) => text ?? "").join(""),
    images: parts.flatMap(({ image_url }) =>
      image_url === undefined ? [] : [image_url.url.replace(/^[^,]*,/, "")],
    ),
  };
}
