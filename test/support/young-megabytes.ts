/**
 * By how much more a process may grow than on Node 20, in megabytes: from Node 24 on, V8 lets young objects take twice
 * as much before it collects them.
 */
export const youngMegabytes = Number.parseInt(process.versions.node, 10) < 24 ? 0 : 150;
