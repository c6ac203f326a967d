import { execFile } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface PythonPackages {
  /** Where they lie: a value of PYTHONPATH. */
  readonly folder: string;
  /** Why they can't be had here; undefined where they are there. */
  readonly missing: string | undefined;
}

/**
 * Packages of PyPI at exact versions, installed once for all tests of this user.
 *
 * @param name tells them from others and from other versions
 */
export async function pythonPackages(
  name: string,
  packages: readonly string[],
): Promise<PythonPackages> {
  const folder = join(tmpdir(), `touchstone-${name}-${process.getuid?.() ?? "any"}`);
  if (existsSync(folder)) {
    const isOwn = statSync(folder).uid === (process.getuid?.() ?? 0);
    return { folder, missing: isOwn ? undefined : `${folder} belongs to somebody else` };
  }
  const made = await mkdtemp(join(tmpdir(), "touchstone-packages-"));
  const quietly = ["-q", "--disable-pip-version-check", "--no-input", "--retries", "0"];
  try {
    await run("python3", ["-m", "pip", "install", ...quietly, "--target", made, ...packages]);
    // Others may have installed it meanwhile: one of them is enough.
    await rename(made, folder).catch(() => {});
    return { folder, missing: existsSync(folder) ? undefined : `${folder} could not be made` };
  } catch {
    const missing = `${name} could not be installed (it needs Python 3 with pip, and PyPI once)`;
    return { folder, missing };
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}
