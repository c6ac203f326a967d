import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach } from "vitest";
import { runCommandLine } from "../../src/cli/main.js";
import { fakeEnvironment } from "./fake-environment.js";
import { temporaryDirectory } from "./temporary-directory.js";

/** Runs command lines in a folder that is new and empty for each test. */
export function commandLines() {
  let folder = "";
  beforeEach(async () => {
    folder = await temporaryDirectory();
  });
  return {
    async put(name: string, content: string | Uint8Array) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), content);
    },
    remove: (name: string) => rm(join(folder, name), { recursive: true }),
    place: (name: string) => join(folder, name),
    read: (name: string) => readFile(join(folder, name), "utf8"),
    names: async () => (await readdir(folder)).sort(),
    async run(words: readonly string[], stdin: string | Uint8Array = "") {
      const environment = fakeEnvironment({ workingDirectory: folder, stdin });
      const code = await runCommandLine(words, environment);
      const { stdout, stderr } = environment.written;
      return { code, stdout, stderr, inOneLine: stdout.replace(/\s+/g, " ") };
    },
  };
}
