import type { PoolPath } from "./read-prompt-pool.js";

/** A fault in a pool, and its place. */
export interface PoolFinding {
  readonly path: PoolPath;
  readonly message: string;
}
