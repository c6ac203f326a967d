import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type FileContent, writeFileAtomically } from "../atomic.js";
import { absent, fileError, systemCode } from "../file-error.js";
import { checkRegular } from "../regular-file.js";

/**
 * A file of a run against its seal: "unsealed" is one that no seal speaks of, "gone" one that was
 * sealed, "absent" one that was not.
 */
export type SealState = "sealed" | "unsealed" | "changed" | "gone" | "absent";

/** Where the seals of a run stand, in its folder. */
export const sealsName = "seals";

/**
 * The SHA-256 of each finished file of a run, in files such as
 * `seals/records/01-build-prompts.jsonl.sha256`, in the form of `sha256sum`, so that
 * `cd run && sha256sum -c $(find seals -type f)` checks them, too. A seal finds out what was edited
 * or damaged, not a forger.
 *
 * A seal is written before its file is: until the file is in place it names both the digest that
 * stands and the one to come. So whoever reads meanwhile, and whoever is killed, finds one that fits.
 */
export class Seals {
  readonly #run: string;

  /** @param run the folder of the run */
  constructor(run: string) {
    this.#run = run;
  }

  /** Writes a file of the run, such as `run.json`, whole or not at all, and seals it. */
  async write(name: string, content: FileContent, options: { owner?: string } = {}): Promise<void> {
    const digest = createHash("sha256");
    let sealed = "";
    let standing: readonly string[] = [];
    await writeFileAtomically(join(this.#run, name), hashing(content, digest), {
      ...options,
      beforeReplacing: async () => {
        sealed = digest.digest("hex");
        const found = await digestOf(join(this.#run, name));
        standing = (await this.#read(name)) ?? (found === undefined ? [] : [found]);
        await this.#seal(name, [...new Set([...standing, sealed])], options);
      },
    });
    if (standing.length > 0) await this.#seal(name, [sealed], options);
  }

  /** How a file of the run stands. */
  async stateOf(name: string): Promise<SealState> {
    for (;;) {
      const seal = await this.#read(name);
      const found = await digestOf(join(this.#run, name));
      if (seal === undefined) return found === undefined ? "absent" : "unsealed";
      if (found !== undefined && seal.includes(found)) return "sealed";
      // Replaced while it was read: another process finished it just now.
      if (String(await this.#read(name)) === String(seal)) {
        return found === undefined ? "gone" : "changed";
      }
    }
  }

  /** The file of a seal. */
  pathOf(name: string): string {
    return join(this.#run, sealsName, `${name}.sha256`);
  }

  #seal(name: string, digests: readonly string[], options: { owner?: string }): Promise<void> {
    const text = digests.map((digest) => `${digest}  ${name}\n`).join("");
    return writeFileAtomically(this.pathOf(name), text, options);
  }

  /** `undefined` where there is no seal; none of a seal that is damaged, which fits nothing. */
  async #read(name: string): Promise<readonly string[] | undefined> {
    const path = this.pathOf(name);
    const text = await readFile(path, "utf8").catch(absent(path));
    return text === undefined ? undefined : (text.match(/^[0-9a-f]{64}(?= )/gm) ?? []);
  }
}

type Digest = ReturnType<typeof createHash>;

/** The same content, each piece of which goes into the digest as it passes. */
async function* hashing(content: FileContent, digest: Digest): AsyncGenerator<string | Uint8Array> {
  const pieces = typeof content === "string" || content instanceof Uint8Array ? [content] : content;
  for await (const piece of pieces) {
    digest.update(piece);
    yield piece;
  }
}

/** The SHA-256 of a file; `undefined` where there is none. */
async function digestOf(path: string): Promise<string | undefined> {
  const digest = createHash("sha256");
  try {
    await checkRegular(path);
    for await (const chunk of createReadStream(path, { highWaterMark: 262_144 })) {
      digest.update(chunk);
    }
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw fileError(error, "read", path);
  }
  return digest.digest("hex");
}
