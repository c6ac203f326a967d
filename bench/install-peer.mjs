// Peers with packages and an interpreter of their own, in a folder beside the benches (bench/.peers,
// ignored by git), installed once.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * @param commands run one after another in the peer's folder; they name their versions
 * @returns the folder, or `skipped` with the reason where the peer can't be had
 */
export function installPeer(name, commands) {
  const folder = fileURLToPath(new URL(`./.peers/${name}/`, import.meta.url));
  const stamp = `${folder}installed.json`;
  const wanted = JSON.stringify(commands);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return { folder };
  mkdirSync(folder, { recursive: true });
  // Without one, npm would install into the package that the folder lies in.
  writeFileSync(`${folder}package.json`, '{ "private": true }\n');
  console.error(`Installing ${name} into bench/.peers …`);
  for (const [command, ...words] of commands) {
    const path = command.includes("/") ? `${folder}${command}` : command;
    const { status, error, stderr } = spawnSync(path, words, { cwd: folder, encoding: "utf8" });
    if (status === 0) continue;
    const why = error?.message ?? stderr.trim().split("\n").at(-1);
    return { skipped: `${[command, ...words].join(" ")}: ${why}` };
  }
  writeFileSync(stamp, wanted);
  return { folder };
}
