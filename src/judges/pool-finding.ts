import type { PoolPath } from "./read-prompt-pool.js";

/** What is wrong, and where. */
export interface PoolFinding {
  readonly path: PoolPath;
  readonly message: string;
}
