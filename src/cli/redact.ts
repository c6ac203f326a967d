import type { Environment } from "./environment.js";

const secretName = /_(KEY|TOKEN|SECRET)$|^PGPASSWORD$/i;

/** Puts the variable's name where a key or token of the environment stands in a text. */
export function redact(text: string, variables: Environment["variables"]): string {
  let redacted = text;
  const secrets = Object.entries(variables)
    .flatMap(([name, value]) => (value && secretName.test(name) ? [{ name, value }] : []))
    // The longer first: one secret may be the beginning of another.
    .sort((a, b) => b.value.length - a.value.length);
  for (const { name, value } of secrets) {
    // Shorter ones are no keys, and hiding "1" everywhere would hide the message.
    if (value.length >= 6) redacted = redacted.replaceAll(value, `[${name}]`);
  }
  return redacted;
}
