// node bench/hosted.mjs [CALLS [PEER]]
//
// Questions about images to a hosted model, as a run asks them (records, traces and kept replies
// written), beside a bare loop of fetch, promptfoo and inspect_ai, which make the same calls to the
// same server in the same run: 2,000 of them, answered after 200 ms, 64 at once. With "alone" as PEER
// only ours runs, once: node --max-old-space-size=200 bench/hosted.mjs 50000 alone

import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { metricStep } from "../dist/benchmarks/score-step.js";
import { keyOf } from "../dist/core/keys.js";
import { randomFrom } from "../dist/core/random.js";
import { openStore } from "../dist/files/open-store.js";
import { openPicture } from "../dist/images/picture.js";
import { vqaScore } from "../dist/metrics/vqa-score.js";
import { cachedChat } from "../dist/models/cache/cached-chat.js";
import { ReplyStore } from "../dist/models/cache/reply-store.js";
import { answersQuestions } from "../dist/models/chat/answers-questions.js";
import { openAiCompatible } from "../dist/models/openai-compatible/openai-compatible.js";
import { tasksInHand } from "../dist/runs/in-parallel.js";
import { runSteps } from "../dist/runs/run-steps.js";
import { installPeer } from "./install-peer.mjs";
import { inSeconds, sideBySide } from "./side-by-side.mjs";

const calls = Number(process.argv[2] ?? 2000);
const onlyPeer = process.argv[3];
const latency = 200;
const concurrency = 64;
const template = "Does it show {text}?";
const directory = await mkdtemp(join(tmpdir(), "touchstone-hosted-"));
const pictures = await noisePictures(100);
const urls = pictures.map((bytes) => `data:image/png;base64,${bytes.toString("base64")}`);

const serverFile = fileURLToPath(new URL("./hosted-server.mjs", import.meta.url));
const server = spawn(process.execPath, [serverFile, String(latency)], {
  stdio: ["pipe", "pipe", "inherit"],
});
const { value: baseUrl } = await createInterface({ input: server.stdout })
  [Symbol.asyncIterator]()
  .next();

/** Of each way, what its calls took of the processor, in microseconds a call. */
const used = { ours: [], fetch: [] };

async function metered(name, work) {
  const began = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(began);
  used[name].push((user + system) / calls);
  return result;
}

let runs = 0;
/** A run with images and no scores, made while nobody's time is taken. */
async function emptyRun() {
  runs++;
  const folder = await openStore(join(directory, `run-${runs}`), {
    create: { command: "touchstone score", seed: 0, software: "bench" },
  });
  const images = [];
  for (const bytes of pictures) images.push(await folder.blobs.write(bytes, "image/png"));
  return { folder, images };
}
let ready = await emptyRun();

async function ours() {
  const { folder, images } = ready;
  const chat = openAiCompatible("tiny", { baseUrl, apiKey: "none", limits: { concurrency } });
  const kept = cachedChat(chat, new ReplyStore(join(directory, `replies-${runs}`)));
  const step = metricStep({
    name: "ask",
    metric: vqaScore({ model: answersQuestions(kept), template }),
    plan: {
      parameters: {},
      async *tasks() {
        for (let number = 0; number < calls; number++) {
          const image = images[number % images.length];
          yield { of: keyOf(number), image, text: `${number} cats` };
        }
      },
    },
  });
  const [{ done }] = await metered("ours", () =>
    runSteps({ run: folder, steps: [step], concurrency: tasksInHand(concurrency), openPicture }),
  );
  return done;
}

async function bareLoop() {
  let next = 0;
  let answered = 0;
  const worker = async () => {
    for (let number = next++; number < calls; number = next++) {
      const content = [
        { type: "image_url", image_url: { url: urls[number % urls.length] } },
        { type: "text", text: template.replace("{text}", `${number} cats`) },
      ];
      const response = await fetch(`${baseUrl}/chat/completions`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: "Bearer none" },
        body: JSON.stringify({
          model: "tiny",
          messages: [{ role: "user", content }],
          temperature: 0,
          max_tokens: 8,
          logprobs: true,
          top_logprobs: 20,
        }),
      });
      const { choices } = await response.json();
      if (choices[0].message.content === "Yes") answered++;
    }
  };
  const began = performance.now();
  await metered("fetch", () => Promise.all(Array.from({ length: concurrency }, worker)));
  return { seconds: (performance.now() - began) / 1000, result: answered };
}

/** A peer that is started anew for each round, with what it says of its time. */
const asked = (command, words, cwd) => async () => {
  const child = spawn(command, words, { cwd, stdio: ["pipe", "pipe", "ignore"] });
  const question = { baseUrl, calls, concurrency, images: urls, home: join(directory, "home") };
  child.stdin.end(JSON.stringify(question));
  let answer;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith("{")) answer = JSON.parse(line);
  }
  if (answer === undefined) throw new Error(`${command} ended without an answer`);
  return answer;
};

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

async function compare(name, theirs, pairs) {
  const {
    ratio,
    low,
    high,
    ours: mine,
    theirs: other,
    result,
    peerResult,
  } = await sideBySide({
    ours,
    peers: {
      [name]: async () => {
        ready = await emptyRun();
        return theirs();
      },
    },
    pairs,
  });
  if (result !== calls || peerResult !== calls) {
    throw new Error(`Expected ${calls} answers but received ${result} and ${peerResult}`);
  }
  console.log(
    `beside ${name}: ${ratio.toFixed(3)} of its speed (median of ${pairs} pairs, ` +
      `${low.toFixed(3)} to ${high.toFixed(3)}): ${inSeconds(mine)} here, ${inSeconds(other)} there`,
  );
}

try {
  await mkdir(join(directory, "home"));
  console.log(`${calls} calls of ${latency} ms, ${concurrency} at once`);
  if (onlyPeer === "alone") {
    const began = performance.now();
    const answered = await ours();
    const memory = (process.resourceUsage().maxRSS / 1024).toFixed(0);
    console.log(
      `${answered} answered in ${inSeconds((performance.now() - began) / 1000)}, at most ${memory} MiB in all`,
    );
  }
  if (onlyPeer === undefined || onlyPeer === "fetch")
    await compare("a bare loop of fetch", bareLoop, 5);
  if (used.fetch.length > 0)
    console.log(
      `CPU a call: ${median(used.ours).toFixed(0)} µs here, ${median(used.fetch).toFixed(0)} µs in the bare loop`,
    );
  for (const { name, install, command, words } of [
    {
      name: "promptfoo",
      install: [
        [
          "npm",
          "install",
          "--no-audit",
          "--no-fund",
          "--omit=optional",
          "promptfoo@0.123.1",
          "node@22",
        ],
      ],
      command: "node_modules/node/bin/node",
      words: [fileURLToPath(new URL("./hosted-promptfoo.mjs", import.meta.url))],
    },
    {
      name: "inspect_ai",
      install: [
        ["python3", "-m", "venv", "--clear", "python"],
        [
          "python/bin/python",
          "-m",
          "pip",
          "install",
          "--quiet",
          "inspect-ai==0.3.285",
          "openai==3.52.0",
        ],
      ],
      command: "python/bin/python",
      words: [fileURLToPath(new URL("./hosted_inspect.py", import.meta.url))],
    },
  ]) {
    if (onlyPeer !== undefined && onlyPeer !== name) continue;
    const { folder, skipped } = await installPeer(name, install);
    if (skipped !== undefined) {
      console.log(`${name}: skipped, ${skipped}`);
      continue;
    }
    const cpu = [];
    const ask = asked(join(folder, command), words, folder);
    await compare(
      name,
      async () => {
        const answer = await ask();
        cpu.push(answer.microseconds);
        return answer;
      },
      3,
    );
    console.log(`CPU a call: ${median(cpu).toFixed(0)} µs there`);
  }
} finally {
  server.stdin.end();
  await rm(directory, { recursive: true, force: true });
}

/** Images of 64 x 64 pixels of noise, some 12 kB each. */
function noisePictures(count) {
  const raw = { width: 64, height: 64, channels: 3 };
  const noise = (number) => {
    const random = randomFrom("bench", "hosted", number);
    return Uint8Array.from({ length: 64 * 64 * 3 }, () => random.integer(256));
  };
  return Promise.all(
    Array.from({ length: count }, (_, number) => sharp(noise(number), { raw }).png().toBuffer()),
  );
}
