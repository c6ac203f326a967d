import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import { generatedRun } from "../../../../test/support/generated-run.js";
import { completion, misbehavingServer } from "../../../../test/support/misbehaving-server.js";
import { noPostgres, PostgresServer } from "../../../../test/support/postgres-server.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { openStore, placeIn } from "../../../files/open-store.js";
import { copyRun } from "../../../runs/copy-run.js";
import { runCommandLine } from "../../command-line/run-command-line.js";
import { outputFor } from "../../terminal/output.js";
import { asksOnly } from "./asks-only.js";
import { FleetWork } from "./fleet-work.js";
import { WorkerCounts } from "./worker-counts.js";

const minute = 60_000;
const yes = { kind: "reply", json: completion({ probabilities: { Yes: 0.9, No: 0.1 } }) } as const;
const fault = { kind: "raw", text: "no", status: 500 } as const;

describe.skipIf(noPostgres !== undefined)(`a worker's runs ${noPostgres ?? ""}`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server?.stop());

  /** A store of runs whose images are to be scored, each by the model of its name. */
  async function storeOf(models: Readonly<Record<string, { readonly baseUrl: string }>>) {
    const directory = await temporaryDirectory();
    const store = await server.newDatabase();
    await mkdir(join(directory, "from"));
    await generatedRun(join(directory, "from"), { images: 20, metrics: 1 });
    const from = await openStore(join(directory, "from"));
    for (const [name, { baseUrl }] of Object.entries(models)) {
      const command = `touchstone score ${name} --metric vqa-score --model ${name}`;
      const model = name === "keyless" ? "openai-compatible:gpt-5" : "openai-compatible:tiny";
      const recipe = { ...from.recipe, commands: [command], models: [`${model} at ${baseUrl}`] };
      const run = await openStore(placeIn(store, name), { copyOf: recipe });
      await copyRun(from, run, { signal: new AbortController().signal });
    }
    await settings(directory, models);
    return { directory, store };
  }

  async function settings(
    directory: string,
    models: Readonly<Record<string, { readonly baseUrl: string }>>,
  ) {
    const chosen = Object.entries(models).map(([name, { baseUrl }]) => [
      name,
      name === "keyless"
        ? { provider: "openai-compatible", model: "gpt-5" }
        : { provider: "openai-compatible", model: "tiny", baseUrl, attempts: 1, concurrency: 4 },
    ]);
    const text = JSON.stringify({ models: Object.fromEntries(chosen), cache: { enabled: false } });
    await writeFile(join(directory, "touchstone.config.yaml"), text);
  }

  function workAt({ directory, store }: { directory: string; store: string }) {
    const clock = { now: 0 };
    const outside = fakeEnvironment({ workingDirectory: directory });
    const environment = { ...outside, store, now: () => new Date(clock.now) };
    const counts = new WorkerCounts(environment.now);
    const output = outputFor({ environment, json: false });
    const shared = { models: undefined, concurrency: 4 };
    const work = new FleetWork({ store, ...shared, environment, output, counts });
    const said = () => environment.written.stderr.split("\n").filter((line) => line !== "");
    return { work, clock, counts, said };
  }

  const unreachable = async () => {
    let stop = async () => {};
    const gone = await misbehavingServer({
      behave: () => yes,
      onEnd: (given) => {
        stop = given;
      },
    });
    await stop();
    return gone;
  };

  async function worker({ directory, store }: { directory: string; store: string }, step = 0) {
    const outside = fakeEnvironment({ workingDirectory: directory });
    const clock = { now: 0 };
    const now = () => {
      clock.now += step;
      return new Date(clock.now);
    };
    const environment = { ...outside, now };
    const words = ["worker", "--store", store, "--until-idle", "--concurrency", "4"];
    const code = await runCommandLine(words, environment);
    const { stdout, stderr } = environment.written;
    return {
      code,
      stdout,
      stderr,
      told: (name: string) => stderr.split(`Note: ${name}: `).slice(1),
    };
  }

  test("until idle it asks each item once, names each run that it can't work on, and ends", async () => {
    const whole = await misbehavingServer({ behave: () => yes });
    const flaky = await misbehavingServer({ behave: (_, at) => (at % 3 === 0 ? fault : yes) });
    const keyless = { baseUrl: "https://api.openai.com/v1" };
    const { code, stdout, told } = await worker(await storeOf({ flaky, keyless, whole }));
    expect(code).toBe(0);
    expect(stdout).toBe("Collected 36 records (6 unscored) of 2 runs.\n");
    expect([whole, flaky].map(({ received }) => received.length)).toEqual([18, 18]);
    expect(told("keyless")).toEqual([expect.stringMatching(/^Expected a key .*OPENAI_API_KEY/)]);
  });

  test("a run that is being copied in is left alone until it is there", async () => {
    const { received, baseUrl } = await misbehavingServer({ behave: () => yes });
    const place = await storeOf({ copied: { baseUrl } });
    const { recipe } = await openStore(placeIn(place.store, "copied"));
    const copy = await openStore(placeIn(place.store, "copied"), { copyOf: recipe });
    const copier = await copy.startWriting([]);
    expect((await worker(place)).stdout).toBe("Collected 0 records (0 unscored) of 0 runs.\n");
    expect(received).toHaveLength(0);
    await copier.close();
    expect((await worker(place)).code).toBe(0);
    expect(received).toHaveLength(18);
  });

  test("runs whose server is not there it waits for, and then ends as incomplete", async () => {
    const place = await storeOf({ "1-gone": await unreachable(), "2-gone": await unreachable() });
    // Two minutes have passed whenever it looks.
    const { code, stderr, told } = await worker(place, 2.5 * minute);
    expect(code).toBe(3);
    for (const name of ["1-gone", "2-gone"]) {
      expect(told(name)).toEqual([expect.stringMatching(/^Can't reach http.* was refused$/m)]);
    }
    expect(stderr.replaceAll(/\s+/g, " ")).toContain("is away for 2 runs: 1-gone, 2-gone");
  });

  test("a server that went down holds up no other run, and is tried ever more rarely", async () => {
    let isDown = false;
    const brittle = await misbehavingServer({
      behave: (_, at) => {
        isDown ||= at === 4;
        return isDown ? fault : yes;
      },
    });
    const whole = await misbehavingServer({ behave: () => yes });
    const { work, clock, counts, said } = workAt(await storeOf({ brittle, whole }));
    expect(await work.goOver()).toBe(1);
    expect(whole.received).toHaveLength(18);
    expect(work).toMatchObject({ isHopeful: true, unfinished: ["brittle"] });
    expect(counts.refused).toBe(1);
    const first = said().length;
    expect(said()).toContainEqual(expect.stringMatching(/^Note: brittle: .* in a row.*: no$/));
    // Its pauses double, from 5 s on.
    for (const due of [5000, 15_000, 35_000, 75_000, 155_000]) {
      const before = brittle.received.length;
      clock.now = due - 1;
      await work.goOver();
      expect(brittle.received).toHaveLength(before);
      clock.now = due;
      await work.goOver();
      expect(brittle.received.length).toBeGreaterThan(before);
    }
    expect(said()).toHaveLength(first);
    expect(work.isHopeful).toBe(false);
    isDown = false;
    clock.now = 20 * minute;
    expect(await work.goOver()).toBe(1);
    expect(said()[first]).toBe("brittle is gone on with.");
    expect(work.unfinished).toEqual([]);
    expect(counts.refused).toBe(0);
  });

  test("items without an answer are asked again after a while, by one worker of several", async () => {
    let isWell = false;
    const flaky = await misbehavingServer({
      behave: (_, at) => (!isWell && at % 6 === 0 ? fault : yes),
    });
    const place = await storeOf({ flaky });
    const one = workAt(place);
    expect(await one.work.goOver()).toBe(1);
    expect(flaky.received).toHaveLength(18);
    one.clock.now = minute - 1;
    expect(await one.work.goOver()).toBe(0);
    // Another that begins asks them, and the first then leaves it to them.
    const other = workAt(place);
    expect(await other.work.goOver()).toBe(1);
    expect(flaky.received).toHaveLength(21);
    one.clock.now = minute;
    expect(await one.work.goOver()).toBe(0);
    isWell = true;
    one.clock.now = 2 * minute;
    expect(await one.work.goOver()).toBe(1);
    expect(flaky.received).toHaveLength(22);
    one.clock.now = 1000 * minute;
    expect(await one.work.goOver()).toBe(0);
  });

  test("settings that place a model elsewhere are refused: nothing is asked there anew", async () => {
    const [planned, other] = [
      await misbehavingServer({ behave: () => yes }),
      await misbehavingServer({ behave: () => yes }),
    ];
    const place = await storeOf({ moved: planned });
    await settings(place.directory, { moved: other });
    const { work, said } = workAt(place);
    expect(await work.goOver()).toBe(0);
    expect(other.received).toEqual([]);
    expect(said().join(" ")).toContain(`Expected openai-compatible:tiny at ${planned.baseUrl} for`);
    expect((await openStore(placeIn(place.store, "moved"))).recipe.steps).toHaveLength(3);
  });
});

test("runs are chosen by models as recipes name them, with or without revision and address", () => {
  const asked = ["lab:vqa@80dcc2a09671", "openai-compatible:tiny at http://judge/v1"];
  expect(asksOnly(undefined, asked)).toBe(true);
  expect(asksOnly(["lab:vqa", "openai-compatible:tiny"], asked)).toBe(true);
  expect(asksOnly(["lab:vqa@80dcc2a09671", asked[1] ?? ""], asked)).toBe(true);
  expect(asksOnly(["lab:vqa"], asked)).toBe(false);
  expect(asksOnly(["lab:vqa@1", "openai-compatible:tiny"], asked)).toBe(false);
});
