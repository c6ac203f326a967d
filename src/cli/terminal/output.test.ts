import { describe, expect, it } from "vitest";
import { fakeEnvironment } from "../../../test/support/fake-environment.js";
import { outputFor } from "./output.js";

function speak({ json = false, isTerminal = false, variables = {} } = {}) {
  const environment = fakeEnvironment({ isTerminal, variables });
  return { output: outputFor({ environment, json }), written: environment.written };
}

describe("output", () => {
  it("puts results on stdout, notes on stderr and the next command last", () => {
    const { output, written } = speak();
    output.nextCommand(["report", "my run"]);
    output.note("reading");
    output.result("a table");
    output.resultJson({ a: 1 });
    output.finish();
    expect(written).toEqual({
      stdout: "a table\n\nNext: touchstone report 'my run'\n",
      stderr: "reading\n",
    });
  });

  it("gives a program under --json one object and no word beside it", () => {
    const { output, written } = speak({ json: true });
    output.nextCommand(["report", "my run"]);
    output.note("reading");
    output.warn("slow");
    output.progress("1 of 2");
    output.result("a table");
    output.resultJson({ a: 1 });
    output.finish();
    expect(written).toEqual({ stdout: '{\n  "a": 1\n}\n', stderr: "" });
  });

  it("adds nothing to data", () => {
    const { output, written } = speak();
    output.data("id,metric\n");
    output.nextCommand(["analyze", "contrastive", "-"], { reading: ["example", "contrastive"] });
    output.finish();
    expect(written.stdout).toBe("id,metric\n");
    expect(written.stderr).toBe(
      "Next: touchstone example contrastive | touchstone analyze contrastive -\n",
    );
  });

  it("breaks no next command into lines, wherever it stands", () => {
    const environment = fakeEnvironment({ isTerminal: true, columns: 60 });
    const output = outputFor({ environment, json: false });
    output.data("id,metric\n");
    output.nextCommand(["analyze", "contrastive", "-"], { reading: ["example", "contrastive"] });
    output.finish();
    expect(environment.written.stderr).toContain(
      "touchstone example contrastive | touchstone analyze contrastive -\n",
    );
  });

  it("redraws progress on a terminal only and wipes it before other words", () => {
    const { output, written } = speak({ isTerminal: true, variables: { NO_COLOR: "1" } });
    output.progress("1 of 2");
    output.progress("2 of 2");
    output.note("done");
    expect(written.stderr).toBe("1 of 2\r\u001b[J2 of 2\r\u001b[Jdone\n");
    const piped = speak();
    piped.output.progress("1 of 2");
    expect(piped.written.stderr).toBe("");
  });

  it("colours a terminal, but not against NO_COLOR or a dumb one", () => {
    const bold = (variables: Record<string, string>, isTerminal = true) =>
      speak({ isTerminal, variables }).output.style.bold("x");
    expect(bold({})).toBe("\u001b[1mx\u001b[22m");
    expect(bold({ NO_COLOR: "1" })).toBe("x");
    expect(bold({ TERM: "dumb" })).toBe("x");
    expect(bold({}, false)).toBe("x");
  });
});
