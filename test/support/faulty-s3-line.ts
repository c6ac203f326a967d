import { once } from "node:events";
import { request as ask, createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** What befalls a call on its way. */
export type LineFault = "none" | "away" | "slow" | "refused" | "half-sent" | "half-answered";

const slowBy = 300;

/** A line to an S3 server on which calls are lost, held up, refused, or cut off half way. */
export class FaultyS3Line {
  readonly url: string;
  readonly close: () => void;

  private constructor(url: string, close: () => void) {
    this.url = url;
    this.close = close;
  }

  /** @param draw decides for each call, by its path and query */
  static async to(target: string, draw: (url: string) => LineFault): Promise<FaultyS3Line> {
    const server = createServer((near, reply) => {
      void pass(near, { reply, target, fault: draw(near.url ?? "/") });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("Expected a port");
    return new FaultyS3Line(`http://127.0.0.1:${address.port}`, () => {
      server.closeAllConnections();
      server.close();
    });
  }
}

async function pass(
  near: IncomingMessage,
  { reply, target, fault }: { reply: ServerResponse; target: string; fault: LineFault },
): Promise<void> {
  if (fault === "away") return void near.socket.resetAndDestroy();
  const body = await bytesOf(near);
  if (fault === "refused") {
    reply.statusCode = 503;
    return void reply.end("<Error><Code>SlowDown</Code><Message>SlowDown</Message></Error>");
  }
  if (fault === "slow") await new Promise((resolve) => setTimeout(resolve, slowBy));
  const far = ask(new URL(near.url ?? "/", target), {
    method: near.method,
    headers: near.headers,
  });
  far.on("error", () => near.socket.destroy());
  if (fault === "half-sent" && body.length > 1) {
    // What arrived of it is the service's to throw away.
    far.write(body.subarray(0, body.length / 2), () => {
      far.destroy();
      near.socket.resetAndDestroy();
    });
    return;
  }
  far.end(body);
  const [answer] = (await once(far, "response").catch(() => [])) as IncomingMessage[];
  if (answer === undefined) return;
  const said = await bytesOf(answer);
  reply.writeHead(answer.statusCode ?? 500, answer.headers);
  if (fault === "half-answered" && said.length > 1) {
    reply.write(said.subarray(0, said.length / 2), () => near.socket.destroy());
  } else reply.end(near.method === "HEAD" ? undefined : said);
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of message) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}
