import { execFile } from "node:child_process";
import { chmod, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A disk of some megabytes that can be filled up. */
export class SmallDisk {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** @returns undefined where none can be mounted, which only root can. */
  static async mount(megabytes: number): Promise<SmallDisk | undefined> {
    const path = await mkdtemp(join(tmpdir(), "touchstone-disk-"));
    try {
      await run("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", path]);
    } catch {
      await rm(path, { recursive: true });
      return undefined;
    }
    await chmod(path, 0o755);
    return new SmallDisk(path);
  }

  /** Leaves not a byte free. */
  async fill(): Promise<void> {
    const ballast = await open(this.#ballast, "w");
    try {
      const bytes = new Uint8Array(4096);
      for (;;) await ballast.write(bytes);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
    } finally {
      await ballast.close();
    }
  }

  free(): Promise<void> {
    return rm(this.#ballast, { force: true });
  }

  async unmount(): Promise<void> {
    await run("umount", [this.path]);
    await rm(this.path, { recursive: true });
  }

  get #ballast(): string {
    return join(this.path, "ballast");
  }
}
