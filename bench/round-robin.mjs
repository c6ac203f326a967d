// A proxy before several servers of a study: each request goes to the next of them, whoever it is of.
//   node bench/round-robin.mjs PORT PORT…     prints its own port, and serves until it is killed
import { Agent, createServer, request } from "node:http";

const ports = process.argv.slice(2).map(Number);
const agent = new Agent({ keepAlive: true, maxSockets: 500 });
let turn = 0;

const server = createServer((incoming, outgoing) => {
  const pieces = [];
  incoming.on("data", (piece) => pieces.push(piece));
  incoming.on("end", () => forward(incoming, outgoing, { body: Buffer.concat(pieces), tries: 0 }));
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => console.log(server.address().port));

function forward(incoming, outgoing, { body, tries }) {
  const port = ports[turn++ % ports.length];
  const { method, url, headers } = incoming;
  const upstream = request({ host: "127.0.0.1", port, method, path: url, headers, agent });
  upstream.on("response", (response) => {
    outgoing.writeHead(response.statusCode, response.headers);
    response.pipe(outgoing);
    response.on("error", () => outgoing.destroy());
  });
  upstream.on("error", ({ code }) => {
    if (outgoing.headersSent) return outgoing.destroy();
    // It never arrived there, so it may go elsewhere; what may have arrived is the client's to repeat.
    if (code === "ECONNREFUSED" && tries + 1 < ports.length) {
      return forward(incoming, outgoing, { body, tries: tries + 1 });
    }
    outgoing.writeHead(502).end();
  });
  upstream.end(body);
}
