// The calls of hosted.mjs by promptfoo, for its own Node. Reads one JSON line, prints one.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const { baseUrl, calls, concurrency, images, home } = JSON.parse(readFileSync(0, "utf8"));
// Nothing of it goes out, and nothing of it stays.
Object.assign(process.env, {
  PROMPTFOO_CONFIG_DIR: home,
  PROMPTFOO_DISABLE_TELEMETRY: "1",
  PROMPTFOO_DISABLE_UPDATE: "1",
  PROMPTFOO_DISABLE_REMOTE_GENERATION: "1",
  PROMPTFOO_CACHE_ENABLED: "false",
  OPENAI_API_KEY: "none",
});
const found = createRequire(`${process.cwd()}/`).resolve("promptfoo");
const { evaluate } = (await import(pathToFileURL(found).href)).default;

const messages = [
  {
    role: "user",
    content: [
      { type: "image_url", image_url: { url: "{{image}}" } },
      { type: "text", text: "{{question}}" },
    ],
  },
];
const began = performance.now();
const cpu = process.cpuUsage();
const result = await evaluate(
  {
    prompts: [JSON.stringify(messages)],
    providers: [
      {
        id: "openai:chat:tiny",
        config: {
          apiBaseUrl: baseUrl,
          temperature: 0,
          max_tokens: 8,
          passthrough: { logprobs: true, top_logprobs: 20 },
        },
      },
    ],
    tests: Array.from({ length: calls }, (_, number) => ({
      vars: { image: images[number % images.length], question: `Does it show ${number} cats?` },
    })),
    writeLatestResults: false,
  },
  { maxConcurrency: concurrency, cache: false, showProgressBar: false },
);
const { user, system } = process.cpuUsage(cpu);
const summary = "toEvaluateSummary" in result ? await result.toEvaluateSummary() : result;
const answered = summary.results.filter(({ response }) => response?.output === "Yes").length;
console.log(
  JSON.stringify({
    seconds: (performance.now() - began) / 1000,
    microseconds: (user + system) / calls,
    result: answered,
  }),
);
process.exit();
