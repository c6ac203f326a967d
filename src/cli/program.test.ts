import { expect, test } from "vitest";
import { asTyped, programName } from "./program.js";

const named = (script: string, PATH = "/usr/bin:/opt/bin", hasLab = false) =>
  programName({ script, workingDirectory: "/srv/clone", variables: { PATH }, hasLab });

test("the program is called as it was called", () => {
  expect(named("/opt/bin/touchstone")).toBe("touchstone");
  expect(named("/srv/app/node_modules/.bin/touchstone")).toBe("npx touchstone");
  const uv = "/var/cache/uv/archive-v0/Ab-1/bin";
  expect(named(`${uv}/touchstone-t2i`, `${uv}:/usr/bin`)).toBe("uvx touchstone-t2i");
  expect(named(`${uv}/touchstone-t2i`, `${uv}:/usr/bin`, true)).toBe(
    "uvx --from 'touchstone-t2i[lab]' touchstone-t2i",
  );
  expect(named("/srv/clone/bin/touchstone")).toBe("./bin/touchstone");
  expect(named("/elsewhere/bin/touchstone")).toBe("/elsewhere/bin/touchstone");
});

test("command lines in a text call it so, and nothing else is touched", () => {
  const say = (text: string) => asTyped(text, { program: "./bin/touchstone" });
  expect(say("Go on with: touchstone demo --run x")).toBe(
    "Go on with: ./bin/touchstone demo --run x",
  );
  expect(say("Usage: touchstone VERB [flags]")).toBe("Usage: ./bin/touchstone VERB [flags]");
  expect(asTyped("npx touchstone demo", { program: "npx touchstone" })).toBe("npx touchstone demo");
  expect(say("touchstone 0.1.0, ./touchstone demo")).toBe("touchstone 0.1.0, ./touchstone demo");
});
