import { randomFrom } from "../../src/core/random.js";
import { type Behaviour, completion, misbehavingServer } from "./misbehaving-server.js";
import { goodness, madeImages } from "./pair-server.js";

/**
 * A folder with small images, and a server that answers about each as a chat model would: yes where it is
 * good, or a rating from 1 to 4, with noise of each wording's own.
 */
export async function imageServer({
  directory,
  images,
}: {
  readonly directory: string;
  readonly images: number;
}) {
  const numbers = await madeImages(directory, images);
  const server = await misbehavingServer({
    behave: ({ body }): Behaviour => {
      const parts = (body.messages?.at(-1)?.content ?? []) as readonly {
        readonly text?: string;
        readonly image_url?: { readonly url: string };
      }[];
      const url = parts.find(({ image_url }) => image_url)?.image_url?.url ?? "";
      const image = numbers.get(url.replace(/^[^,]*,/, ""));
      if (image === undefined) throw new Error("Expected a known image");
      const own = randomFrom("view", JSON.stringify(body.messages?.[0]?.content), image);
      const good = goodness(image) + (own.next() - 0.5);
      const asked = parts.at(-1)?.text ?? "";
      const probabilities = /[1-4], /.test(asked) ? ratingsOf(good) : answersOf(good, asked);
      const [[said] = [""]] = Object.entries(probabilities).sort(([, a], [, b]) => b - a);
      return { kind: "reply", json: completion({ text: said, probabilities }) };
    },
  });
  return { server };
}

function answersOf(good: number, asked: string): Record<string, number> {
  const yes = 1 / (1 + Math.exp(-4 * good));
  const [first, second] = /\bY\b/.test(asked) ? ["Y", "N"] : ["yes", "no"];
  return { [first ?? ""]: yes, [second ?? ""]: 1 - yes };
}

/** Most on the rating of the goodness, the rest on its neighbours. */
function ratingsOf(good: number): Record<string, number> {
  const shares = [1, 2, 3, 4].map((rating) => Math.exp(-4 * (rating - 2.5 - good) ** 2));
  const sum = shares.reduce((total, each) => total + each, 0);
  return Object.fromEntries(shares.map((each, at) => [String(at + 1), each / sum]));
}

/** What is right of an image, were it told without noise. */
export const truthOf = (image: number) => ({
  answer: goodness(image) > 0 ? "yes" : "no",
  rating: Math.min(4, Math.max(1, Math.round(goodness(image) + 2.5))),
});
