// A server in a process of its own that answers each call of chat/completions after a while with
// "Yes" and its log-probabilities. Prints its address as one line.
import { createServer } from "node:http";

const latency = Number(process.argv[2] ?? 200);
const alternatives = ["Yes", "No", " yes", "The", "YES", "Maybe", "It", "yes", " no", "I"].map(
  (token, at) => ({ token, logprob: -0.7 - 0.9 * at, bytes: [...Buffer.from(token)] }),
);
const reply = Buffer.from(
  JSON.stringify({
    id: "chatcmpl-0123456789",
    object: "chat.completion",
    created: 1_700_000_000,
    model: "tiny",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: "Yes", refusal: null },
        logprobs: { content: [{ ...alternatives[0], top_logprobs: alternatives }], refusal: null },
        finish_reason: "stop",
      },
    ],
    usage: { prompt_tokens: 100, completion_tokens: 1, total_tokens: 101 },
  }),
);
const server = createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    const due = performance.now() + latency;
    // A timer counts from the beginning of its turn of the event loop: too early in a busy process.
    const answer = () => {
      const left = due - performance.now();
      if (left > 0) return setTimeout(answer, Math.ceil(left));
      response.writeHead(200, {
        "content-type": "application/json",
        "content-length": reply.length,
      });
      response.end(reply);
    };
    answer();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/v1`));
process.stdin.resume().on("end", () => process.exit());
