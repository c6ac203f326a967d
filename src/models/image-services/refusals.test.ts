import { expect, test } from "vitest";
import { handClock } from "../../../test/support/hand-clock.js";
import { documentedService, runningService } from "../../../test/support/image-services.js";

const json = (body: object, status = 200) => Response.json(body, { status });
const chat = (choice: object) => json({ choices: [{ message: { content: "" }, ...choice }] });
const gemini = (candidate: object, rest: object = {}) => json({ candidates: [candidate], ...rest });
const says = (text: string) => ({ content: { parts: [{ text }] } });

/** What the first call, or the one that asks after a job, brings in place of an image. */
const refusals: readonly [
  service: string,
  words: string,
  reply: () => Response,
  later?: "later",
][] = [
  ["gemini-images", "IMAGE_SAFETY", () => gemini({ finishReason: "IMAGE_SAFETY" })],
  ["gemini-images", "NO_IMAGE", () => gemini({ ...says("No."), finishReason: "NO_IMAGE" })],
  [
    "gemini-images",
    "I can't draw",
    () => gemini({ ...says("I can't draw it."), finishReason: "STOP" }),
  ],
  [
    "gemini-images",
    "PROHIBITED_CONTENT",
    () => json({ promptFeedback: { blockReason: "PROHIBITED_CONTENT" } }),
  ],
  ["bfl", "Request Moderated", () => json({ status: "Request Moderated" }), "later"],
  [
    "bfl",
    "Content Moderated",
    () => json({ status: "Content Moderated", details: { "Moderation Reasons": ["Nudity"] } }),
    "later",
  ],
  [
    "stability",
    "content_moderation",
    () => json({ id: "1", name: "content_moderation", errors: ["Your request was flagged"] }, 403),
  ],
  [
    "stability",
    "CONTENT_FILTERED",
    () => json({ image: "AAAA", finish_reason: "CONTENT_FILTERED", seed: 5 }),
  ],
  [
    "stability",
    "CONTENT_FILTERED",
    () =>
      new Response("blurred", {
        headers: { "content-type": "image/png", "finish-reason": "CONTENT_FILTERED", seed: "5" },
      }),
  ],
  ["chat-images", "content_filter", () => chat({ finish_reason: "content_filter" })],
  [
    "chat-images",
    "IMAGE_SAFETY",
    () => chat({ finish_reason: "stop", native_finish_reason: "IMAGE_SAFETY" }),
  ],
  ["chat-images", "Not that", () => chat({ message: { content: "Not that.", images: [] } })],
  ["chat-images", "Never", () => chat({ message: { content: null, refusal: "Never." } })],
  ["hf-inference", "NSFW", () => json({ error: "NSFW content was detected" }, 400)],
];

test.each(refusals)("%s refuses by %s, and is asked once", async (name, words, reply, later) => {
  const service = documentedService(name);
  const { begun, base, fetch } = runningService(service, (call, sound) =>
    later === undefined || call.method === "GET" ? sound().then(reply) : sound(),
  );
  const generator = service.make({ baseUrl: base, fetch, clock: handClock() });
  await expect(generator.generate({ prompt: "a red wall", seed: 5 })).rejects.toThrow(
    expect.objectContaining({ reason: "refused", message: expect.stringContaining(words) }),
  );
  expect(begun).toHaveLength(1);
});
