import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { sightAnswer, sightAsked, sightEmbedding } from "./sight-answers.js";

/** What the server does with one call. */
export type Behaviour =
  | { readonly kind: "reply"; readonly json: unknown }
  | {
      readonly kind: "raw";
      readonly text: string | Uint8Array;
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Takes the call and breaks the connection. */
  | { readonly kind: "reset" }
  /** Says how long the reply will be, sends half of it and breaks the connection. */
  | { readonly kind: "cut"; readonly json: unknown }
  /** Begins a reply and sends nothing more; `onHeld` is called then. */
  | { readonly kind: "stall" }
  /** Sends one space after another and never ends; `onHeld` is called after the first. */
  | { readonly kind: "drip" };

/** A call that the server received. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: {
    readonly messages?: readonly { readonly content: unknown }[];
    readonly [name: string]: unknown;
  };
}

export interface MisbehavingServer {
  readonly baseUrl: string;
  readonly received: readonly Received[];
  /** Questions of the sight check that were answered. */
  readonly sights: readonly Received[];
}

/**
 * A server on this machine that behaves as it is told, for as long as the test runs. It answers by
 * the pixels what is asked to find out whether a model sees, or as `sees` says; these calls are in `sights`.
 */
export async function misbehavingServer({
  behave,
  onHeld = () => {},
  onEnd = onTestFinished,
  sees = true,
}: {
  /** @param number of the call, from 0 */
  readonly behave: (call: Received, number: number) => Behaviour;
  readonly onHeld?: () => void;
  /** False leaves the questions of the sight check to `behave`. */
  readonly sees?: boolean | ((body: Received["body"]) => Promise<string> | string);
  /** Is handed what stops it. */
  readonly onEnd?: (stop: () => Promise<void>) => void;
}): Promise<MisbehavingServer> {
  const received: Received[] = [];
  const sights: Received[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const text = Buffer.concat(pieces).toString("utf8");
    const call = {
      path: request.url ?? "",
      headers: request.headers,
      body: text === "" ? {} : JSON.parse(text),
    };
    const shown = sees === false ? undefined : await sightReply(call, sees);
    if (shown !== undefined) {
      sights.push(call);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(shown));
      return;
    }
    received.push(call);
    const behaviour = behave(call, received.length - 1);
    switch (behaviour.kind) {
      case "reply":
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify(behaviour.json));
        break;
      case "raw":
        response.writeHead(behaviour.status ?? 200, behaviour.headers);
        response.end(behaviour.text);
        break;
      case "reset":
        request.socket.resetAndDestroy();
        break;
      case "cut": {
        const whole = JSON.stringify(behaviour.json);
        response.writeHead(200, { "content-length": whole.length });
        response.write(whole.slice(0, whole.length / 2), () => request.socket.destroy());
        break;
      }
      case "stall":
      case "drip":
        response.writeHead(200, { "content-type": "application/json" });
        response.write(" ", () => {
          onHeld();
          if (behaviour.kind === "drip") drip(response);
        });
        break;
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onEnd(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    received,
    sights,
  };
}

async function sightReply(
  { path, body }: Received,
  sees: true | ((body: Received["body"]) => Promise<string> | string),
): Promise<unknown> {
  if (path.endsWith("/embeddings")) {
    const embedding = sightEmbedding(body);
    return embedding && { object: "list", data: [{ object: "embedding", index: 0, embedding }] };
  }
  if (sightAsked(body) === undefined) return undefined;
  return completion({ text: await (sees === true ? sightAnswer(body) : sees(body)) });
}

function drip(response: ServerResponse): void {
  if (response.destroyed) return;
  response.write(" ", () => setImmediate(() => drip(response)));
}

/** A port of this machine on which nothing listens. */
export async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A good reply of `chat/completions`. */
export function completion({
  text = "Yes",
  probabilities,
  ...rest
}: {
  readonly text?: string;
  /** Of the first token's alternatives. */
  readonly probabilities?: Readonly<Record<string, number>>;
  readonly finish_reason?: string;
  readonly refusal?: string;
  readonly usage?: unknown;
  /** Who answers; a reply names nobody where not given. */
  readonly model?: string;
} = {}) {
  const alternatives = Object.entries(probabilities ?? {}).map(([token, probability]) => ({
    token,
    logprob: Math.log(probability),
  }));
  const first = alternatives.find(({ token }) => text.startsWith(token)) ?? alternatives[0];
  const { finish_reason = "stop", refusal = null } = rest;
  return {
    id: "1",
    object: "chat.completion",
    ...(rest.model === undefined ? {} : { model: rest.model }),
    choices: [
      {
        index: 0,
        finish_reason,
        message: { role: "assistant", content: refusal === null ? text : null, refusal },
        logprobs:
          first === undefined ? null : { content: [{ ...first, top_logprobs: alternatives }] },
      },
    ],
    usage: "usage" in rest ? rest.usage : { prompt_tokens: 100, completion_tokens: 1 },
  };
}
