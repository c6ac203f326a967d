import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.js";
import { touchstoneHere } from "../../../../test/support/touchstone-here.js";

async function run(shell: string) {
  return touchstoneHere(["doctor", "completion", shell]);
}

/** How each shell is asked what it offers for the words in `$@`; the last is the one being typed. */
const asking = {
  bash: `source "$0"; COMP_WORDS=(touchstone "$@"); COMP_CWORD=$#; _touchstone; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh:
    "compdef() { }; _files() { print files }; compadd() { shift; print -l -- $@ }; " +
    `_describe() { print -l -- \${(P)@[-1]%%:*} }; source "$0"; ` +
    `words=(touchstone "$@"); CURRENT=$#words; _touchstone`,
  fish: "",
} as const;

const shells = ["bash", "zsh", "fish"] as const;
const isThere = (shell: string) => spawnSync(shell, ["-c", "true"]).status === 0;

describe.each(shells)("%s", (shell) => {
  const offered = async (...words: readonly string[]) => {
    const script = join(await temporaryDirectory(), "script");
    await writeFile(script, (await run(shell)).stdout);
    const line = ["touchstone", ...words].join(" ");
    const [program, ...given] =
      shell === "fish"
        ? ["fish", "-c", `source '${script}'; complete -C '${line}'`]
        : [shell, "-c", asking[shell], script, ...words];
    // Bash warns of a locale that the machine has not.
    const env = { ...process.env, LC_ALL: "C" };
    const { stdout, stderr } = spawnSync(program ?? "", given, { encoding: "utf8", env });
    expect(stderr).toBe("");
    return stdout
      .split("\n")
      .map((each) => each.split("\t")[0] ?? "")
      .filter((each) => each !== "")
      .sort();
  };

  // A machine without the shell has nobody who completes in it.
  test.runIf(isThere(shell))("completes verbs, flags and values", async () => {
    expect(await offered("")).toContain("analyze");
    const starting = async (...words: readonly string[]) =>
      (await offered(...words)).filter((each) => each.startsWith(words.at(-1) ?? ""));
    expect(await starting("analyze", "s")).toEqual(["significance", "stereotypes", "swap"]);
    expect(await offered("demo", "--size", "")).toEqual(["full", "medium", "small"]);
    expect(await starting("analyze", "swap", "--tie-t")).toEqual(["--tie-tolerance"]);
    expect(await starting("studio", "export", "--analyse")).toEqual(["--analyse-only"]);
    expect(await starting("judge", "pro")).toEqual(["prompts"]);
    expect(await starting("judge", "prompts", "l")).toEqual(["lint", "list"]);
    // An earlier name is not offered, but completed.
    expect(await starting("loc")).toEqual([]);
    expect(await starting("localize", "--over")).toEqual(["--overlay"]);
    expect(await starting("prompts", "l")).toEqual(["lint", "list"]);
    expect(await starting("study", "create", "--li")).toEqual(["--lint"]);
  });
});

test("another shell is refused", async () => {
  const { code, stderr } = await run("tcsh");
  expect(code).toBe(2);
  expect(stderr).toContain('Expected one of bash, zsh, fish for SHELL but received "tcsh"');
});
