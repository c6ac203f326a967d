import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

/** Files that several folders have alike: a benchmark's parts, an encoder of each adapter, a verb's checks. */
const alike = [
  ...["benchmark", "conclude", "conclusion", "findings", "published", "tables"],
  ...["built", "show", "dual-encoder", "check-flags", "index"],
].map((name) => `${name}.ts`);

/** A verb lies in a file of its own name, whatever else is called so. */
const declaresVerb = /^export default (?:command|commandGroup|conclusion)\(/m;

it("a file's name has one meaning in all rooms", () => {
  const source = fileURLToPath(new URL("../src", import.meta.url));
  const places = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .filter((path) => !alike.includes(basename(path)))
    .filter((path) => !declaresVerb.test(readFileSync(`${source}/${path}`, "utf8")));
  expect(places.length).toBeGreaterThan(500);
  const first = new Map<string, string>();
  const twice = places.filter((path) => {
    const earlier = first.get(basename(path));
    first.set(basename(path), earlier ?? dirname(path));
    return earlier !== undefined;
  });
  expect(twice).toEqual([]);
});
