import { expect, test } from "vitest";
import { configuredName } from "./configured-name.js";
import { hostingFor } from "./hosting.js";

const hosting = hostingFor({
  variables: { OPENAI_BASE_URL: "http://env/v1" },
  workingDirectory: ".",
});
const configured = {
  gone: { provider: "recorded", model: "no/such/folder" },
  painter: { provider: "lab", model: "no-such-model" },
  eyes: { provider: "lab", model: "vqa" },
  own: { provider: "openai-compatible", model: "tiny", baseUrl: "http://own/v1" },
  said: { provider: "openai-compatible", model: "tiny", yesNo: "verbalized" },
} as const;
const nameOf = (model: string, baseUrl?: string) =>
  configuredName({ model, baseUrl }, { configured, hosting });

test("a model is called as the configuration calls the same one at the same address", async () => {
  expect(await nameOf("openai-compatible:tiny", "http://own/v1")).toBe("own");
  expect(await nameOf("openai-compatible:tiny@verbalized", "http://env/v1")).toBe("said");
  expect(await nameOf("openai-compatible:tiny", "http://env/v1")).toBeUndefined();
  expect(await nameOf("openai-compatible:tiny", "http://other/v1")).toBeUndefined();
  const { chooseModel } = await import("./model-choice.js");
  const { placedName } = await import("../../core/models.js");
  expect(await nameOf(placedName((await chooseModel("lab:vqa")).model.identity))).toBe("eyes");
});

test("entries that can't be had here, or none at all, name nothing", async () => {
  expect(await nameOf("recorded:no/such/folder")).toBeUndefined();
  expect(await nameOf("lab:no-such-model")).toBeUndefined();
  const none = { configured: undefined, hosting };
  expect(await configuredName({ model: "lab:vqa" }, none)).toBeUndefined();
});
