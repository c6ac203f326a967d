import { expect, test } from "vitest";
import { hostingFor } from "./hosting.js";

test("--cache goes before TOUCHSTONE_CACHE, and that before the settings", () => {
  const settings = { enabled: true, directory: "/settings" };
  const placeOf = (variables: Record<string, string>, cache?: string) =>
    hostingFor({ variables, workingDirectory: "/" }, { settings, cache }).replies.directory;
  expect(placeOf({})).toBe("/settings");
  expect(placeOf({ TOUCHSTONE_CACHE: "/variable" })).toBe("/variable");
  expect(placeOf({ TOUCHSTONE_CACHE: "/variable" }, "/flag")).toBe("/flag");
});

test("a cache on S3 is no folder for other files", () => {
  const { replies } = hostingFor(
    { variables: {}, workingDirectory: "/" },
    { cache: "s3://one/two" },
  );
  expect(replies).toMatchObject({ directory: "s3://one/two", folder: undefined });
});
