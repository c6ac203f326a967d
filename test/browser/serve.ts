import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

const typeOf = (path: string) =>
  path.endsWith(".js") ? "text/javascript; charset=utf-8" : "text/html; charset=utf-8";

/**
 * Serves pages and scripts (`.js`) by their paths on a free port of this machine until the test ends.
 *
 * @returns the address, without a slash at its end.
 */
export async function serve(files: Readonly<Record<string, string>>): Promise<string> {
  const server = createServer(({ url = "/" }, response) => {
    const body = Object.hasOwn(files, url) ? files[url] : undefined;
    // Every browser asks for an icon.
    const status = body !== undefined ? 200 : url === "/favicon.ico" ? 204 : 404;
    response.writeHead(status, { "content-type": typeOf(url) });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}
