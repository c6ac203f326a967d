// A writer of a run in a process of its own, for tests that kill it. It opens the step "score", says
// "ready", and does what the lines of its input say, one JSON value each: {"plan": [keys]},
// {"append": [records]}, {"finish": true}. It answers each with a line that holds
// what came of it, and says {"finishing": true} before it puts a step in order.
// node store-worker.mjs PLACE STEPS
import { createInterface } from "node:readline";

const [place, steps] = process.argv.slice(2);
const { openStore } = await import(new URL("../../dist/files/open-store.js", import.meta.url).href);
const run = await openStore(place);
const writer = await run.startWriting(JSON.parse(steps));
const step = await writer.openStep("score");
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

say("ready");
for await (const line of createInterface({ input: process.stdin })) {
  const asked = JSON.parse(line);
  if (asked.plan !== undefined) say(await step.plan(asked.plan));
  if (asked.append !== undefined) say((await step.append(asked.append)) ?? "appended");
  if (asked.finish !== undefined) {
    say({ finishing: true });
    say((await step.finish()) ?? "finished");
  }
}
