import { createRequire } from "node:module";
import type Sharp from "sharp";
import { once } from "../core/cache.js";

/**
 * The image library, loaded when it is first used: it brings a native library of 16 MB. Required, since
 * to import its CommonJS modules takes three times as long: 112 ms of processor time in place of 40.
 */
export const loadSharp = once(async () => createRequire(import.meta.url)("sharp") as typeof Sharp);
