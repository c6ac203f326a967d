import { once } from "../core/once.js";

/** The image library, loaded when it is first used: it brings a native library of 16 MB. */
export const loadSharp = once(async () => (await import("sharp")).default);
