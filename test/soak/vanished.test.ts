import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { type Key, keyOf } from "../../src/core/keys.js";
import { randomFrom } from "../../src/core/random.js";
import { anyRecord } from "../../src/core/records.js";
import { openStore, placeIn } from "../../src/files/open-store.js";
import { runStatus } from "../../src/runs/run-status.js";
import { CutLine } from "../support/cut-line.js";
import { noPostgres, PostgresServer } from "../support/postgres-server.js";
import { OtherWorker } from "../support/store-worker.js";

const rounds = 20;
const seed = "vanished";
const [tasks, batches] = [64, 4];
const score = { name: "score", version: 1, produces: "score", parameters: {} };
const create = { command: "my own program", seed: 1, software: "1.0.0" };
const signal = new AbortController().signal;
const keys = Array.from({ length: tasks }, (_, at) => keyOf(`task ${at}`));

const record = (key: Key) =>
  anyRecord.parse({
    schema: 1,
    type: "score",
    key,
    step: "score@1",
    attempt: 1,
    status: "done",
    value: 0.5,
    of: keyOf("image"),
    image: "0".repeat(64),
    text: "a dog",
    metric: "a",
    metricVersion: 1,
    statistic: "cosine",
    model: "lab:judge",
    range: [-1, 1],
    direction: "higher",
    trial: 0,
  });

/**
 * A machine that vanishes: no end of the line says a word, and what lies between keeps the connection for
 * good. All rounds wait for the same half minute.
 */
test.skipIf(noPostgres !== undefined)(
  `what a machine that vanished had in hand is others' within half a minute ${noPostgres ?? ""}`,
  async () => {
    const server = await PostgresServer.start();
    onTestFinished(() => server.stop());
    const store = await server.newDatabase();
    const others: Promise<number>[] = [];
    for (let round = 0; round < rounds; round++) {
      const { goneOn } = await vanished(server, { store, round });
      others.push(goneOn);
    }
    const silences = await Promise.all(others);
    console.log(JSON.stringify({ rounds, silences }));
    expect(Math.min(...silences)).toBeGreaterThan(12);
  },
  600_000,
);

/**
 * Has one vanish somewhere in its work, by the seed, and another see to the rest: `goneOn` resolves with the
 * seconds for which the machine was shown as silent at last.
 */
async function vanished(
  server: PostgresServer,
  { store, round }: { store: string; round: number },
) {
  const random = randomFrom(seed, round);
  const line = await CutLine.to(server.port);
  onTestFinished(() => line.stop());
  const far = Object.assign(new URL(store), { port: String(line.port) }).href;
  const name = `run-${round}`;
  const run = await openStore(placeIn(store, name), { create });
  const writer = await run.startWriting([score]);
  const step = await writer.openStep("score");
  await step.plan(keys);
  const machine = await OtherWorker.start(placeIn(far, name), [score]);
  await machine.ask({ plan: keys });
  const claimed = 1 + Math.floor(random.between(0, batches));
  for (let batch = 0; batch < claimed; batch++) await machine.ask({ claim: batch });
  const kept = keys.slice(0, Math.floor(random.between(0, claimed * (tasks / batches))));
  if (kept.length > 0) await machine.ask({ append: kept.map(record) });
  line.cut("silent");
  await machine.kill();

  const goOn = async () => {
    let silence = 0;
    for (;;) {
      const { atWork } = await runStatus(run);
      const machines = atWork.filter(({ who }) => !who.startsWith(`process ${process.pid} of`));
      if (machines.length === 0) break;
      silence = machines[0]?.silentFor ?? silence;
      await pause(500);
    }
    for (let batch = 0; batch < batches; batch++) expect(await step.claim(batch)).toBe(true);
    const wanted: Key[] = [];
    for (const [at, key] of keys.entries()) {
      if (await step.mayAsk(Math.floor(at / (tasks / batches)), key)) wanted.push(key);
    }
    expect(wanted).toEqual(keys.filter((key) => !kept.includes(key)));
    await step.append(wanted.map(record));
    await step.finish({ signal });
    await step.close();
    await writer.close();
    const found: Key[] = [];
    for await (const one of run.ofStep("score")) found.push(one.key);
    expect(found).toEqual(keys);
    return silence;
  };
  const goneOn = goOn();
  // Said again where it is awaited.
  goneOn.catch(() => {});
  return { goneOn };
}
