import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { checks, nodeFinding, runsFinding, tryOut } from "./checks.js";

async function look(name: string, environment = fakeEnvironment()) {
  const check = checks.find((candidate) => candidate.name === name);
  if (check === undefined) throw new Error(`No check ${name}`);
  return check.look(environment);
}

describe("nodeFinding", () => {
  it.each([
    ["20.19.0", "ok"],
    ["20.18.3", "wrong"],
    ["22.0.0", "ok"],
    ["18.20.0", "wrong"],
  ])("%s is %s", (version, state) => {
    expect(nodeFinding(version).state).toBe(state);
  });
});

describe("runsFinding", () => {
  it("takes a folder that is there or can be made", async () => {
    const folder = await temporaryDirectory();
    expect((await runsFinding(folder)).state).toBe("ok");
    expect((await runsFinding(join(folder, "a", "b"))).detail).toContain("can be made");
  });

  it("refuses a place below a file", async () => {
    const file = join(await temporaryDirectory(), "file");
    await writeFile(file, "");
    expect(await runsFinding(join(file, "runs"))).toMatchObject({ state: "wrong" });
  });
});

describe("configuration", () => {
  it("is missing, valid or wrong with what is wrong in it", async () => {
    const workingDirectory = await temporaryDirectory();
    const environment = fakeEnvironment({ workingDirectory });
    expect((await look("configuration", environment)).state).toBe("missing");
    const file = join(workingDirectory, "touchstone.config.yaml");
    await writeFile(file, "score: { metrics: [clip-score] }\n");
    expect((await look("configuration", environment)).state).toBe("ok");
    await writeFile(file, "skore: {}\n");
    const finding = await look("configuration", environment);
    expect(finding.state).toBe("wrong");
    expect(finding.detail).toContain("unknown member skore; did you mean score?");
  });
});

describe("keys", () => {
  it("are listed by name, never by value", async () => {
    const environment = fakeEnvironment({
      variables: { OPENAI_API_KEY: "sk-12345678", HF_TOKEN: "", PLACE: "elsewhere" },
    });
    const { detail } = await look("keys", environment);
    expect(detail).toContain("OPENAI_API_KEY");
    expect(detail).not.toMatch(/sk-|HF_TOKEN|PLACE/);
  });
});

it("says what broke and what to do", async () => {
  const broken = async () => {
    throw new Error("no such thing\nwith details");
  };
  expect(await tryOut(broken, "Install it")).toEqual({
    state: "wrong",
    detail: "no such thing",
    advice: "Install it",
  });
});
