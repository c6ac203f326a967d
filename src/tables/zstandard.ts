/** By itself, so that a page that loads it takes in nothing else of the package: other parts compile code. */
export { decompressZstd } from "hyparquet-compressors";
