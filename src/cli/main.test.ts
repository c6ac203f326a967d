import { describe, expect, it } from "vitest";
import { fakeEnvironment } from "../../test/support/fake-environment.js";
import { GateError, IncompleteError, InputError } from "../core/errors.js";
import { command, commandGroup, type Verb } from "./command-line/command.js";
import { runCommandLine } from "./main.js";

const failing: Record<string, () => unknown> = {
  input: () =>
    new InputError("Expected scores in a.csv", {
      problems: Array.from({ length: 23 }, (_, row) => `line ${row + 2}: no score`),
      hint: "touchstone example contrastive",
    }),
  incomplete: () => new IncompleteError("Stopped", { hint: "touchstone demo --run r" }),
  gate: () => new GateError("Missed"),
  fault: () => new TypeError("undefined is no function, key sk-12345678"),
  text: () => "thrown text",
};

const verb = (name: string, loaded: Awaited<ReturnType<Verb["load"]>>["default"]): Verb => ({
  name,
  summary: `does ${name}`,
  load: async () => ({ default: loaded }),
});

const echo = command({
  description: "Prints a text.",
  examples: ["touchstone echo hello --times 2"],
  arguments: {
    text: { kind: "positional", description: "what to print" },
    times: { kind: "number", integer: true, minimum: 1, default: 1, description: "how often" },
  },
  async run({ given, output }) {
    output.result(given.text.repeat(given.times));
    output.resultJson({ text: given.text });
  },
});

const spend = command({
  description: "Spends.",
  examples: ["touchstone spend --max-cost 1"],
  arguments: { "max-cost": { kind: "number", description: "stop before it costs more" } },
  async run({ given, output, words }) {
    output.result([given["max-cost"], ...words()].join(" "));
  },
});

const root: readonly Verb[] = [
  verb("spend", spend),
  verb("echo", echo),
  verb(
    "analyze",
    commandGroup({
      description: "Concludes.",
      examples: ["touchstone analyze echo hello"],
      verbs: [verb("echo", echo)],
    }),
  ),
  verb(
    "fail",
    command({
      description: "Fails.",
      examples: ["touchstone fail input"],
      arguments: { how: { kind: "positional", description: "how" } },
      async run({ given }) {
        throw failing[given.how]?.();
      },
    }),
  ),
  verb(
    "wait",
    command({
      description: "Waits to be interrupted.",
      examples: ["touchstone wait"],
      arguments: {},
      async run({ environment: { signal } }) {
        await new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        });
      },
    }),
  ),
];

async function run(words: string, variables = {}) {
  const environment = fakeEnvironment({ variables });
  const code = await runCommandLine(words.split(" ").filter(Boolean), environment, root);
  return { code, ...environment.written };
}

describe("runCommandLine", () => {
  it("runs a verb, also one below another", async () => {
    expect(await run("echo hi --times 2")).toEqual({ code: 0, stdout: "hihi\n", stderr: "" });
    expect((await run("analyze echo hi")).stdout).toBe("hi\n");
    expect(JSON.parse((await run("echo hi --json")).stdout)).toEqual({ text: "hi" });
  });

  it.each(["", "--help", "-h", "help"])("lists the verbs for %j", async (words) => {
    const { code, stdout } = await run(words);
    expect(code).toBe(0);
    for (const { name, summary } of root) expect(stdout).toMatch(new RegExp(`${name} +${summary}`));
  });

  it.each(["echo --help", "help echo", "echo -h", "echo --times 2 --help"])(
    "shows a verb's help for %j",
    async (words) => {
      const { code, stdout } = await run(words);
      expect(code).toBe(0);
      expect(stdout).toContain("Usage: touchstone echo TEXT [flags]");
      expect(stdout).toMatch(/--times N +how often \(default: 1\)/);
      expect(stdout).toContain("Examples:\n  touchstone echo hello --times 2");
    },
  );

  it("takes limits from outside where the line says none, and names no such limit again", async () => {
    const environment = fakeEnvironment({ variables: { TOUCHSTONE_MAX_COST: "2.5" } });
    await runCommandLine(["spend"], environment, root);
    await runCommandLine(["spend", "--max-cost", "1"], environment, root);
    expect(environment.written.stdout).toBe("2.5 spend\n1 spend --max-cost 1\n");
  });

  it("shows the help of a verb with sub-verbs", async () => {
    const { code, stdout } = await run("analyze --help");
    expect(code).toBe(0);
    expect(stdout).toContain("Usage: touchstone analyze VERB [flags]");
  });

  it.each([
    ["ehco hi", 'Unknown verb "ehco"', "Did you mean echo?"],
    ["--jsn", 'Unknown flag "--jsn"', "touchstone --help"],
    ["analyze", "Expected a verb after touchstone analyze", "touchstone analyze --help"],
    ["analyze ecko", 'Unknown verb "ecko" for touchstone analyze', "Did you mean echo?"],
    ["worker --until-idle", 'Unknown verb "worker"', "touchstone run resume DIR"],
    ["echo hi --tims 2", "Unknown flag --tims for echo", "Did you mean --times?"],
  ])("refuses %j with exit code 2 and a hint", async (words, message, hint) => {
    const { code, stdout, stderr } = await run(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).toContain(hint);
  });

  it("prints the version", async () => {
    expect((await run("--version")).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([
    ["input", 2],
    ["incomplete", 3],
    ["gate", 4],
    ["fault", 1],
    ["text", 1],
  ])("ends %s with exit code %i", async (how, code) => {
    expect((await run(`fail ${how}`)).code).toBe(code);
  });

  it("lists at most 20 problems and the hint", async () => {
    const { stderr } = await run("fail input");
    expect(stderr.split("\n").filter((line) => line.startsWith("  - line"))).toHaveLength(20);
    expect(stderr).toContain("  and 3 more\n");
    expect(stderr).toContain("touchstone example contrastive\n");
  });

  it("puts one object on stderr under --json, 20 problems in it and their number", async () => {
    const { stdout, stderr } = await run("fail input --json");
    expect(stdout).toBe("");
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: "input",
        message: "Expected scores in a.csv",
        hint: "touchstone example contrastive",
        problems: Array.from({ length: 20 }, (_, row) => `line ${row + 2}: no score`),
        problemCount: 23,
      },
    });
  });

  it("says how to report a fault of ours, keeps keys to itself, and its stack for --debug", async () => {
    const variables = { SOME_API_KEY: "sk-12345678" };
    const { stderr } = await run("fail fault", variables);
    expect(stderr).toContain("A fault of ours: undefined is no function, key [SOME_API_KEY]");
    expect(stderr).toContain(process.version);
    expect(stderr).not.toContain("    at ");
    expect(stderr).not.toContain("12345678");
    for (const debugged of [
      await run("fail fault --debug", variables),
      await run("fail fault", { ...variables, TOUCHSTONE_DEBUG: "1" }),
      await run("fail fault --json --debug", variables),
    ]) {
      expect(debugged.stderr).toContain("    at ");
      expect(debugged.stderr).not.toContain("12345678");
    }
  });

  it("ends an interrupted verb with 130 and calls it no fault", async () => {
    const environment = fakeEnvironment();
    const running = runCommandLine(["wait"], environment, root);
    await new Promise(setImmediate);
    environment.interrupt();
    expect(await running).toBe(130);
    expect(environment.written.stderr).toBe("Interrupted.\n");
  });
});
