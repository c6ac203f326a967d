import { configureGlobal } from "fast-check";

// One seed for all, so that a clone passes or fails like every other; FAST_CHECK_SEED tries others.
configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 1) });
