import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { IncompleteError, InputError } from "../../../core/errors.js";
import type { Given } from "../../../core/options.js";
import type { Environment } from "../../environment.js";
import { exitCodes } from "../../exit-codes.js";
import type { spendingArguments } from "./limits.js";

/** Where a run is collected, if not here. */
export const engineArguments = {
  on: {
    kind: "choice",
    choices: ["ray", "spark", "dask"],
    value: "ENGINE",
    description: "ask on this engine, by the Python package: pip install 'touchstone-t2i[ray]'",
  },
  performers: {
    kind: "number",
    integer: true,
    minimum: 1,
    value: "N",
    description: "with --on: how many performers work at once (default: one a processor)",
  },
  exchange: {
    kind: "text",
    value: "PLACE",
    description:
      "with --on: where tasks and results lie, a folder that all machines mount or s3://bucket/prefix " +
      "(default: the folder exchange of the run)",
  },
} as const;

type Engine = Given<typeof engineArguments & typeof spendingArguments> & {
  readonly on: string;
  readonly run: string;
};

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/**
 * Collects a run's steps on an engine: the Python package plans, has the engine perform, and finishes.
 *
 * @throws InputError where there is no Python with the package, or the engine refuses; IncompleteError where it
 *   was stopped
 */
export async function collectOnEngine(
  { on, run, performers, exchange, ...limits }: Engine,
  { variables, workingDirectory, stderr, signal }: Environment,
): Promise<void> {
  const python = variables.TOUCHSTONE_PYTHON || "python3";
  const asked = {
    path: run,
    on,
    performers,
    exchange,
    max_calls: limits["max-calls"],
    max_cost: limits["max-cost"],
    max_minutes: limits["max-minutes"],
  };
  const child = spawn(python, ["-m", "touchstone_t2i.engines", JSON.stringify(asked)], {
    cwd: workingDirectory,
    env: { TOUCHSTONE_ROOT: root, ...variables },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const stop = () => child.kill("SIGINT");
  signal.addEventListener("abort", stop);
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-4000);
    stderr.write(text);
  });
  const ended = await new Promise<number | string | null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("close", (code, killed) => resolve(code ?? killed));
  });
  signal.removeEventListener("abort", stop);
  if (ended === 0) return;
  if (ended === null || /No module named .?touchstone_t2i/.test(said)) {
    throw new InputError(
      `Expected the Python package touchstone-t2i for ${python} but it is not there`,
      {
        hint: `pip install 'touchstone-t2i[${on}]'; TOUCHSTONE_PYTHON names another Python`,
      },
    );
  }
  const how = typeof ended === "number" ? `ended with exit code ${ended}` : `was ended by ${ended}`;
  const failed = `The engine ${on} did not collect ${run}: it ${how}`;
  if (ended === exitCodes.input) throw new InputError(failed);
  throw new IncompleteError(failed, {
    hint: "Give the same command again: parts that have results are not asked again.",
  });
}
