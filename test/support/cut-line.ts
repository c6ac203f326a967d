import { once } from "node:events";
import { createConnection, createServer, type Server, type Socket } from "node:net";

/** How a line is cut: each end hears of it, or nobody hears anything until it is mended. */
export type Cut = "told" | "silent";

/** A line to a port of this machine that can be cut, as a network is between two machines. */
export class CutLine {
  readonly port: number;
  readonly #server: Server;
  readonly #ends = new Set<Socket>();
  #cut: Cut | undefined;
  /** What one end would have told the other while the line was silent. */
  readonly #untold: (() => void)[] = [];

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
  }

  static async to(port: number): Promise<CutLine> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("Expected a port");
    const line = new CutLine(server, address.port);
    server.on("connection", (near) => line.#join(near, port));
    return line;
  }

  cut(how: Cut): void {
    this.#cut = how;
    for (const end of this.#ends) {
      if (how === "told") end.resetAndDestroy();
      else end.pause();
    }
  }

  mend(): void {
    this.#cut = undefined;
    for (const end of this.#ends) end.resume();
    for (const tell of this.#untold.splice(0)) tell();
  }

  async stop(): Promise<void> {
    this.cut("told");
    this.#server.close();
    await once(this.#server, "close");
  }

  #join(near: Socket, port: number): void {
    if (this.#cut === "told") return void near.resetAndDestroy();
    const far = createConnection(port, "127.0.0.1");
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#ends.add(end);
      if (this.#cut === "silent") end.pause();
      end.on("data", (bytes) => other.write(bytes));
      end.on("end", () => this.#tell(() => other.end()));
      end.on("error", () => this.#tell(() => other.destroy()));
      end.on("close", () => {
        this.#ends.delete(end);
        this.#tell(() => other.destroy());
      });
    }
  }

  /** A silent line passes nothing on, not even that one end is gone. */
  #tell(what: () => void): void {
    if (this.#cut === "silent") this.#untold.push(what);
    else what();
  }
}
