import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { panelIn } from "../config/study-config.js";
import { type OutsideId, outsideSchema } from "../home/study-change.js";
import type { StudyHome } from "../home/study-home.js";

/**
 * Content of a session before anything is on a disk: who it would be, and by what they came. It is
 * signed, not secret from its own holder.
 */
export interface SessionToken {
  readonly participant: string;
  /** 128 random bits: who has them has the session. */
  readonly bits: string;
  readonly outside?: OutsideId | undefined;
  /** SHA-256 of the invitation that was used. */
  readonly invitation?: string | undefined;
}

const sessionSchema = z.object({
  participant: z.string(),
  bits: z.string(),
  outside: outsideSchema.optional(),
  invitation: z.string().optional(),
});

/** Signs and checks all that a study hands out: sessions, invitations, links back, names of images. */
export class Tokens {
  readonly #secret: Buffer;

  /** @param secret 32 random bytes in hexadecimal, the study's own */
  constructor(secret: string) {
    this.#secret = Buffer.from(secret, "hex");
  }

  /** A new session of nobody yet. */
  newSession(by: Pick<SessionToken, "outside" | "invitation">): SessionToken {
    const letters = Array.from({ length: 10 }, () => String.fromCharCode(97 + randomInt(26)));
    return {
      participant: `p-${letters.join("")}`,
      bits: randomBytes(16).toString("base64url"),
      ...by,
    };
  }

  /** The session as its holder keeps it. */
  sealed(session: SessionToken): string {
    const payload = Buffer.from(JSON.stringify(session)).toString("base64url");
    return `${payload}.${this.mac("session", payload)}`;
  }

  /** The session in a sealed one; undefined where it is none of this study. */
  opened(sealed: string): SessionToken | undefined {
    const [payload = "", mac = "", ...more] = sealed.split(".");
    if (more.length > 0 || !isSame(mac, this.mac("session", payload))) return undefined;
    // Its form was this program's own, or the signature would not fit.
    const checked = sessionSchema.safeParse(
      JSON.parse(Buffer.from(payload, "base64url").toString()),
    );
    return checked.success ? checked.data : undefined;
  }

  /** A new invitation: random bits and their signature. */
  newInvitation(): string {
    const bits = randomBytes(16).toString("base64url");
    return `${bits}.${this.mac("invitation", bits)}`;
  }

  isInvitation(invitation: string): boolean {
    const [bits = "", mac = "", ...more] = invitation.split(".");
    return more.length === 0 && isSame(mac, this.mac("invitation", bits));
  }

  /** The token that opens a facilitator's page. */
  get facilitator(): string {
    return this.mac("facilitator");
  }

  /** The token that brings a participant back who lost their session. */
  linkBack(participant: string): string {
    return `${participant}.${this.mac("link-back", participant)}`;
  }

  /** The participant of a link back; undefined where it is none. */
  participantOf(link: string): string | undefined {
    const [participant = "", mac = "", ...more] = link.split(".");
    return more.length === 0 && isSame(mac, this.mac("link-back", participant))
      ? participant
      : undefined;
  }

  /** Whether an outside id carries this study's signature, as `study invite --outside` prints it. */
  isSigned({ source, id }: OutsideId, signature: string): boolean {
    return isSame(signature, this.signatureOf({ source, id }));
  }

  signatureOf({ source, id }: OutsideId): string {
    return this.mac("outside", JSON.stringify([source, id]));
  }

  /** 22 letters that nobody without the secret can guess, the same for the same words. */
  mac(...words: readonly string[]): string {
    return createHmac("sha256", this.#secret)
      .update(JSON.stringify(words))
      .digest()
      .subarray(0, 16)
      .toString("base64url");
  }
}

/**
 * The end of the address by which whoever runs an open study answers it themselves: the same session in any browser,
 * wherever it is served. Undefined where people come by invitation, from a panel, or led by a facilitator.
 */
export function ownEnd({
  study: { settings },
  secret,
}: Pick<StudyHome, "study" | "secret">): string | undefined {
  if (!settings.open || settings.moderated || panelIn(settings) !== undefined) return undefined;
  const me = { source: "participant", id: "me" };
  return `?${new URLSearchParams({ participant: me.id, signature: new Tokens(secret).signatureOf(me) })}`;
}

/** SHA-256 in hexadecimal: what is kept of something secret, so that it can be known again. */
export const proofOf = (secret: string): string =>
  createHash("sha256").update(secret).digest("hex");

/** Compares in a time that says nothing about where the texts differ. */
export function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
