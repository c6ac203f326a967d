import { describe, expect, test } from "vitest";
import { TouchstoneError } from "../../src/core/errors.js";
import { NoAnswer } from "../../src/core/unscored.js";
import { ReplyStore } from "../../src/models/cache/reply-store.js";
import { handClock } from "../support/hand-clock.js";
import {
  type DocumentedService,
  documentedServices,
  imageOf,
  runningService,
  type ServiceCallReceived,
} from "../support/image-services.js";

type Misbehaviour = NonNullable<Parameters<typeof runningService>[1]>;

const asked = { prompt: "a red wall", seed: 5 };
const right = (await imageOf(asked.prompt, asked.seed)).toString("base64");

/** What becomes of one image, and how often it was begun. */
async function outcomeOf(service: DocumentedService, misbehave?: Misbehaviour) {
  const running = runningService(service, misbehave);
  const clock = handClock();
  const generator = service.make({
    baseUrl: running.base,
    apiKey: "planted-key-0123456789",
    fetch: running.fetch,
    clock,
    attempts: 3,
    jobs: new ReplyStore(),
  });
  const outcome = await generator.generate(asked).then(
    ({ bytes }) => Buffer.from(bytes).toString("base64"),
    (error: unknown) => error,
  );
  return { outcome, clock, ...running };
}

/** Misbehaves in the first calls that `concerns` is true of, so many times. */
const first =
  (
    times: number,
    instead: (sound: Response) => Promise<Response> | Response,
    concerns: (call: ServiceCallReceived) => boolean = () => true,
  ) =>
  (): Misbehaviour => {
    let left = times;
    return async (call, sound) => {
      if (!concerns(call) || left <= 0) return sound();
      left--;
      return instead(await sound());
    };
  };
const refused =
  (status: number, headers = {}, body: object = { detail: "later" }) =>
  (): Response =>
    Response.json(body, { status, headers });
/** Before the service hears of a call. */
const unheard =
  (times: number, instead: () => Response): (() => Misbehaviour) =>
  () => {
    let left = times;
    return async (_, sound) => (left-- > 0 ? instead() : sound());
  };
const isPost = ({ method }: ServiceCallReceived) => method === "POST";
const isLater = ({ method }: ServiceCallReceived) => method === "GET";
const isImage = ({ url }: ServiceCallReceived) => /\/(delivery|view)/.test(url.pathname);
const cut = async (sound: Response) => {
  const text = await sound.text();
  return new Response(text.slice(0, text.length / 2), { headers: sound.headers });
};
const page = () => new Response("<!doctype html><title>Sign in</title>", { status: 200 });
const breaks = () => {
  throw new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code: "EPIPE" }) });
};

/** Whatever happens, the image is the right one, or there is none; and how often it is begun at most. */
const misbehaviours: readonly [string, () => Misbehaviour, { isMade?: boolean }?][] = [
  ["is busy (503)", unheard(2, refused(503)), { isMade: true }],
  [
    "is busy (429 and how long)",
    unheard(1, refused(429, { "retry-after": "3" })),
    { isMade: true },
  ],
  [
    "loads its model (503)",
    unheard(1, refused(503, {}, { error: "loading", estimated_time: 20 })),
    { isMade: true },
  ],
  ["breaks off before it has heard", unheard(1, breaks), { isMade: true }],
  ["is down (502)", unheard(99, refused(502)), { isMade: false }],
  [
    "turns a call away (422)",
    unheard(99, refused(422, {}, { detail: "too wide" })),
    { isMade: false },
  ],
  ["does not let in (401)", unheard(99, refused(401)), { isMade: false }],
  ["has no credit (402)", unheard(99, refused(402)), { isMade: false }],
  [
    "sends elsewhere (302)",
    unheard(99, refused(302, { location: "https://other.test" })),
    { isMade: false },
  ],
  ["shows a page to sign in", unheard(1, page), { isMade: true }],
  ["says nothing", unheard(1, () => new Response("")), { isMade: true }],
  ["cuts its first reply short", first(1, cut, isPost), { isMade: false }],
  ["answers a list", first(99, () => Response.json([]), isPost), { isMade: false }],
  [
    "answers null in every place",
    first(
      99,
      async (sound) => new Response((await sound.text()).replaceAll(/"[^"]*"(?=[,}\]])/g, "null")),
    ),
    { isMade: false },
  ],
  ["breaks when it is asked after", first(2, breaks, isLater), { isMade: true }],
  ["is down when it is asked after", first(2, refused(500), isLater), { isMade: true }],
  ["cuts what it says later", first(1, cut, isLater), {}],
  ["knows nothing of it later", first(99, refused(404), isLater), {}],
  ["has lost the image", first(99, refused(404), isImage), {}],
  ["gives a page in place of the image", first(99, page, isImage), {}],
  [
    "gives half of the image",
    first(
      99,
      async (sound) =>
        new Response((await sound.arrayBuffer()).slice(0, 60), { headers: sound.headers }),
      isImage,
    ),
    {},
  ],
];

describe.each(documentedServices)("$name", (service) => {
  test("gives the image of its prompt and seed", async () => {
    const { outcome, begun, received } = await outcomeOf(service);
    expect([outcome, begun]).toEqual([right, [asked]]);
    const isKeyed = ({ headers }: ServiceCallReceived) =>
      JSON.stringify([...headers]).includes("planted-key");
    expect(received.filter(({ url }) => url.pathname.includes("/delivery/")).some(isKeyed)).toBe(
      false,
    );
    expect(received.filter(({ url }) => !url.pathname.includes("/delivery/")).every(isKeyed)).toBe(
      true,
    );
  });

  test.each(misbehaviours)(
    "%s: no wrong image, none begun twice",
    async (_, misbehave, { isMade } = {}) => {
      const { outcome, begun } = await outcomeOf(service, misbehave());
      expect(begun.length).toBeLessThanOrEqual(1);
      if (typeof outcome === "string") expect(outcome).toBe(right);
      else if (!(outcome instanceof TouchstoneError)) expect(outcome).toBeInstanceOf(NoAnswer);
      if (isMade !== undefined) expect(typeof outcome).toBe(isMade ? "string" : "object");
    },
  );
});

const queued = documentedServices.filter(({ name }) =>
  ["comfyui", "bfl", "replicate", "fal"].includes(name),
);

test.each(queued)(
  "$name: killed at any call, what goes on later begins nothing twice",
  async (service) => {
    const { received: calls } = await outcomeOf(service);
    for (let last = 1; last < calls.length; last++) {
      const jobs = new ReplyStore();
      const kill = new AbortController();
      let left = last;
      const running = runningService(service, async (_, sound) => {
        const response = await sound();
        if (left-- === 0) kill.abort(new Error("killed"));
        kill.signal.throwIfAborted();
        return response;
      });
      const make = () =>
        service.make({ baseUrl: running.base, fetch: running.fetch, clock: handClock(), jobs });
      await expect(make().generate(asked, { signal: kill.signal })).rejects.toThrow("killed");
      left = Number.POSITIVE_INFINITY;
      Object.defineProperty(kill.signal, "throwIfAborted", { value: () => {} });
      const { bytes } = await make().generate(asked);
      expect(Buffer.from(bytes).toString("base64")).toBe(right);
      expect(running.begun).toEqual([asked]);
    }
  },
);
