import { cp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCommandLine } from "../../src/cli/command-line/run-command-line.js";
import { randomFrom } from "../../src/core/random.js";
import { openStore, placeIn } from "../../src/files/open-store.js";
import { withBlobs } from "../../src/files/postgres/address.js";
import { brokenImages } from "../../src/runs/broken-images.js";
import { copyRun } from "../../src/runs/copy-run.js";
import { fakeEnvironment } from "../support/fake-environment.js";
import { FaultyS3Line, type LineFault } from "../support/faulty-s3-line.js";
import { noPostgres, PostgresServer } from "../support/postgres-server.js";
import { noS3, S3Server, setVariables } from "../support/s3-server.js";
import { temporaryDirectory } from "../support/temporary-directory.js";

const rounds = 20;
const seed = "s3";
const missing = noPostgres ?? noS3;
const signal = new AbortController().signal;
/** Calls in a row that nobody takes, once the service is away. */
const outage = 4;
/** They mostly wait. */
const atOnce = 5;
const faults = ["away", "slow", "refused", "half-sent", "half-answered"] as const;

/** What befalls the calls of a round, one after another. */
function faultsOf(round: number): () => LineFault {
  const random = randomFrom(seed, round);
  let away = 0;
  return () => {
    const isFaulty = random.between(0, 1) < 0.3;
    const drawn = faults[random.integer(faults.length)] ?? "away";
    if (away === 0 && isFaulty && drawn === "away") away = outage;
    if (away > 0) {
      away--;
      return "away";
    }
    return isFaulty ? drawn : "none";
  };
}

async function touchstone(workingDirectory: string, ...words: string[]) {
  const environment = fakeEnvironment({ workingDirectory });
  const code = await runCommandLine(words, environment);
  expect(code, environment.written.stderr).toBe(0);
}

/** The bytes of each file below a folder of a run, by its path. */
async function filesIn(directory: string): Promise<ReadonlyMap<string, string>> {
  const found = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = found.flatMap((one) => (one.isFile() ? [join(one.parentPath, one.name)] : []));
  const bytes = await Promise.all(paths.map((path) => readFile(path, "base64")));
  return new Map(paths.map((path, at) => [path.slice(directory.length), bytes[at] ?? ""]));
}

test.skipIf(missing !== undefined)(
  `images on S3 that is away, slow, refuses, or is cut off half way: none lost, none painted twice ${missing ?? ""}`,
  async () => {
    const [server, s3] = await Promise.all([PostgresServer.start(), S3Server.start()]);
    onTestFinished(async () => {
      await s3.stop();
      await server.stop();
    });
    const bucket = await s3.newBucket("faults");
    const befell = new Map<LineFault, number>();
    const weather = Array.from({ length: rounds }, (_, round) => faultsOf(round));
    const draw = (url: string): LineFault => {
      // Each round has a prefix of its own.
      const [, round = ""] = /(?:faults\/|prefix=)(\d+)/.exec(url) ?? [];
      const fault = weather[Number(round)]?.() ?? "none";
      befell.set(fault, (befell.get(fault) ?? 0) + 1);
      return fault;
    };
    const line = await FaultyS3Line.to(s3.url, draw);
    onTestFinished(line.close);
    onTestFinished(setVariables({ AWS_ENDPOINT_URL: line.url }));

    const directory = await temporaryDirectory();
    const build = ["build", "--prompts", "4", "--drawable-by", "lab:painter", "--run", "built"];
    await touchstone(directory, ...build);
    const paint = ["--model", "lab:painter", "--samples", "1"];
    await cp(join(directory, "built"), join(directory, "whole"), { recursive: true });
    await touchstone(directory, "generate", "--run", "whole", ...paint);
    const expected = await filesIn(join(directory, "whole/records"));
    const images = await filesIn(join(directory, "whole/blobs"));
    const built = await openStore(join(directory, "built"));
    const store = await server.newDatabase();
    const play = async (round: number) => {
      const place = placeIn(store, `run-${round}`);
      const begun = withBlobs(place, `s3://${bucket}/${round}`);
      await copyRun(built, await openStore(begun, { copyOf: built.recipe }), { signal });
      const generate = ["generate", "--run", `run-${round}`, ...paint, "--store", store];
      await Promise.all([1, 2].map(() => touchstone(directory, ...generate)));

      const stored = await openStore(place);
      expect(await brokenImages(stored.blobs, stored.ofType("image"))).toEqual([]);
      const asked = new Map<string, number>();
      for await (const entry of stored.trace()) {
        const { kind, key } = Object(entry);
        if (kind === "asked") asked.set(key, (asked.get(key) ?? 0) + 1);
      }
      expect(Math.max(...asked.values())).toBe(1);
      const copy = join(directory, `copy-${round}`);
      await copyRun(stored, await openStore(copy, { copyOf: stored.recipe }), { signal });
      expect(await filesIn(join(copy, "records"))).toEqual(expected);
      expect(await filesIn(join(copy, "blobs"))).toEqual(images);
    };
    for (let first = 0; first < rounds; first += atOnce) {
      await Promise.all(Array.from({ length: atOnce }, (_, at) => play(first + at)));
    }
    expect(images.size).toBe(16);
    expect([...befell.keys()].sort()).toEqual([...faults, "none"].sort());
    console.log(JSON.stringify({ rounds, images: images.size, ...Object.fromEntries(befell) }));
  },
  600_000,
);
