import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { randomFrom } from "../../src/core/random.js";
import { type Behaviour, completion, misbehavingServer } from "./misbehaving-server.js";

/** How good the image is that a number names: a made-up world's only truth. */
export const goodness = (image: number) => 2 * Math.sin(image * 12.9898);

/** Small images, each of a colour of its own, as files and as a server is sent them. */
export async function madeImages(directory: string, count: number): Promise<Map<string, number>> {
  const numbers = new Map<string, number>();
  for (let image = 0; image < count; image++) {
    const background = { r: image % 256, g: (image * 7) % 256, b: Math.floor(image / 256) };
    const bytes = await sharp({ create: { width: 4, height: 4, channels: 3, background } })
      .png()
      .toBuffer();
    await writeFile(join(directory, `${image}.png`), bytes);
    numbers.set(bytes.toString("base64"), image);
  }
  return numbers;
}

/**
 * A folder with a table of pairs that people have decided, and a server that judges them as a chat
 * model would: right more often the clearer a pair is, with noise of each wording's own.
 *
 * @param options.errs how far off a wording's view of a pair is; 0 is always right.
 * @param options.behave what else a call may meet, by its number; `undefined` leaves it to the judge.
 */
export async function pairServer({
  directory,
  labels,
  others = 0,
  errs = 1,
  hasLogProbabilities = true,
  behave = () => undefined,
  sees = true,
  answeredBy = () => undefined,
  isTurned = () => false,
}: {
  readonly directory: string;
  readonly labels: number;
  /** Further pairs, in pairs.jsonl, of which the labels are in truth.json. */
  readonly others?: number;
  readonly errs?: number;
  readonly hasLogProbabilities?: boolean;
  readonly behave?: (number: number) => Behaviour | undefined;
  /** As `misbehavingServer` has it. */
  readonly sees?: NonNullable<Parameters<typeof misbehavingServer>[0]["sees"]>;
  /** The model that a reply names. */
  readonly answeredBy?: () => string | undefined;
  /** Whether it answers the opposite, asked once a call. */
  readonly isTurned?: () => boolean;
}) {
  const images = 60;
  const numbers = await madeImages(directory, images);
  const random = randomFrom("pairs of images");
  const truth = new Map<string, "a" | "b">();
  const rows = Array.from({ length: labels + others }, (_, at) => {
    const a = random.integer(images);
    const b = (a + 1 + random.integer(images - 1)) % images;
    const preferred = goodness(a) > goodness(b) ? ("a" as const) : ("b" as const);
    truth.set(`p${at}`, preferred);
    const pair = {
      id: `p${at}`,
      caption: `caption ${at}`,
      image_a: `${a}.png`,
      image_b: `${b}.png`,
    };
    return { pair, preferred };
  });
  const write = (name: string, lines: readonly object[]) =>
    writeFile(join(directory, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  await write(
    "labels.jsonl",
    rows.slice(0, labels).map(({ pair, preferred }) => ({ ...pair, preferred })),
  );
  await write(
    "pairs.jsonl",
    rows.slice(labels).map(({ pair }) => pair),
  );
  const server = await misbehavingServer({
    sees,
    behave: (call, number) => behave(number) ?? judgment(call.body.messages),
  });
  return { server, truth };

  function judgment(messages: readonly { readonly content: unknown }[] | undefined): Behaviour {
    const words = JSON.stringify(messages?.[0]?.content);
    const parts = (messages?.at(-1)?.content ?? []) as readonly {
      readonly type: string;
      readonly text?: string;
      readonly image_url?: { readonly url: string };
    }[];
    const shown: { readonly label: string; readonly image: number }[] = [];
    let label = "";
    for (const part of parts) {
      if (part.type === "text") label = part.text ?? "";
      const image = numbers.get(part.image_url?.url.replace(/^[^,]*,/, "") ?? "");
      if (image !== undefined) shown.push({ label: label.replace(/[^A-Za-z0-9]/g, ""), image });
    }
    const [first, second] = shown;
    if (first === undefined || second === undefined) throw new Error("Expected two known images");
    const own = randomFrom("view", words, parts[0]?.text ?? "", first.image, second.image);
    const noise = errs * (own.next() + own.next() + own.next() - 1.5) * 2;
    const p = 1 / (1 + Math.exp(-2 * (goodness(first.image) - goodness(second.image) + noise)));
    const kept = Math.min(0.999, Math.max(0.001, isTurned() ? 1 - p : p));
    const said = kept >= 0.5 ? first.label : second.label;
    const [one, other] = kept >= 0.5 ? [first, second] : [second, first];
    const most = Math.max(kept, 1 - kept);
    const probabilities = { [one.label]: most, [other.label]: 1 - most };
    const model = answeredBy();
    return {
      kind: "reply",
      json: completion({
        text: said,
        ...(hasLogProbabilities ? { probabilities } : {}),
        ...(model === undefined ? {} : { model }),
      }),
    };
  }
}
