/**
 * Names who asks: what failed attempts are counted by. Behind a proxy everybody comes from its address, so
 * that one of them could lock all others out; it adds the address that it was asked from at the end of
 * X-Forwarded-For. What stands before that anybody may have written.
 *
 * @param options.forwarded the header, where a proxy is known to stand before this server
 * @example whoAsks({ remote: "127.0.0.1", forwarded: "10.0.0.1, 203.0.113.7" }) // "203.0.113.7"
 */
export function whoAsks({
  remote,
  forwarded,
}: {
  readonly remote: string | undefined;
  readonly forwarded?: string | undefined;
}): string {
  const last = forwarded?.split(",").at(-1)?.trim();
  return last || remote || "unknown";
}
