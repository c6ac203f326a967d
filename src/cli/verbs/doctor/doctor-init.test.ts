import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fakeEnvironment } from "../../../../test/support/fake-environment.js";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { parseConfiguration } from "../../configuration/configuration.js";
import { runCommandLine } from "../../main.js";

const written = (directory: string) => readFile(join(directory, "touchstone.config.yaml"), "utf8");

describe("touchstone doctor init", () => {
  it("writes settings that load, with their schema for editors", async () => {
    const workingDirectory = await temporaryDirectory();
    const environment = fakeEnvironment({ workingDirectory });
    expect(await runCommandLine(["doctor", "init"], environment)).toBe(0);
    const text = await written(workingDirectory);
    const [first = ""] = text.split("\n");
    const schema = /^# yaml-language-server: \$schema=(file:.*config\.schema\.json)$/.exec(first);
    const content = await readFile(new URL(schema?.[1] ?? ""), "utf8");
    expect(JSON.parse(content)).toMatchObject({ title: "touchstone.config.yaml" });
    // What is set runs in the lab, with nothing installed.
    expect(parseConfiguration(text, "touchstone.config.yaml")).toEqual({
      score: { models: ["vqa"], metrics: ["vqa-score"] },
      models: { vqa: { provider: "lab", model: "vqa" } },
    });
    expect(environment.written.stdout).toContain("Next: touchstone doctor");
  });

  it("leaves alone what is there, unless forced", async () => {
    const workingDirectory = await temporaryDirectory();
    await writeFile(join(workingDirectory, "touchstone.config.yaml"), "models: {}\n");
    const environment = fakeEnvironment({ workingDirectory });
    expect(await runCommandLine(["doctor", "init"], environment)).toBe(2);
    expect(environment.written.stderr).toContain("--force");
    expect(await written(workingDirectory)).toBe("models: {}\n");
    expect(await runCommandLine(["doctor", "init", "--force", "--json"], environment)).toBe(0);
    expect(await written(workingDirectory)).toContain("score:");
  });
});
