import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { canonicalJson, type Json } from "./json.js";

/** Name of a record: 32 hexadecimal digits of the SHA-256 of what determines it. */
export type Key = string & { readonly __brand: "Key" };

/** The SHA-256 of some bytes, as 64 hexadecimal digits: the name of a blob. */
export type Hash = string & { readonly __brand: "Hash" };

/**
 * The key of a record: a hash of all that determines it, whatever the order of members.
 *
 * @example keyOf({ step: "paint@1", seed: 0 }).length // 32
 */
export function keyOf(determinants: Json): Key {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(determinants)))).slice(0, 32) as Key;
}

/** SHA-256 of `bytes`. */
export function hashOf(bytes: Uint8Array): Hash {
  return bytesToHex(sha256(bytes)) as Hash;
}
