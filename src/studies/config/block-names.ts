import type { BlockSettings } from "./study-config.js";

/**
 * The name of each block: its protocol, numbered from the second of a protocol on.
 *
 * @example blockNames of rating, likert, rating // ["rating", "likert", "rating-2"]
 */
export const blockNames = (blocks: readonly Pick<BlockSettings, "protocol">[]): readonly string[] =>
  blocks.map(({ protocol }, at) => {
    const before = blocks.slice(0, at).filter((block) => block.protocol === protocol).length;
    return before === 0 ? protocol : `${protocol}-${before + 1}`;
  });
