import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const root = fileURLToPath(new URL("..", import.meta.url));

describe("the version", () => {
  const read = (path: string) => readFileSync(`${root}/${path}`, "utf8");
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(read("package.json")));

  it.each([
    ...["package-lock.json", "CHANGELOG.md", "docs/cite.md", "docs/gate.md"],
    ...["action/action.yml", "action/gate.sh"],
    "deploy/kubernetes/study.yaml",
  ])("is the package's own in %s", (path) => {
    const named =
      /(?:touchstone(?:-t2i)?[@:]|action@v|version = \{|^## \[|"touchstone-t2i",\s+"version": ")(\d+\.\d+\.\d+)/gm;
    const versions = [...read(path).matchAll(named)].map(([, found]) => found);
    // A changelog goes on with what came before.
    expect(path === "CHANGELOG.md" ? versions.slice(0, 1) : [...new Set(versions)]).toEqual([
      version,
    ]);
  });
});
