import { Secret, TOTP } from "otpauth";

const periodSeconds = 30;
/** A code of the step before or after is taken too: a telephone's clock may be 30 s off. */
const skewSteps = 1;
/** What RFC 4226 recommends, and what SHA-1 takes whole. */
const secretBytes = 20;

/** In base32, as people type it. */
export function newTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32;
}

/** What an application reads from the QR code. */
export function totpUri(secret: string, email: string, issuer: string): string {
  return totpOf(secret, { label: email, issuer }).toString();
}

/** The step of 30 s whose code this is; undefined when it is none of the three that are taken now. */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  const delta = totpOf(secret).validate({ token: code, timestamp: now.getTime(), window: skewSteps });
  return delta === null ? undefined : Math.floor(now.getTime() / 1000 / periodSeconds) + delta;
}

/** The code of the step at an instant. */
export function totpCode(secret: string, at: Date, digits = 6): string {
  return totpOf(secret, { digits }).generate({ timestamp: at.getTime() });
}

function totpOf(secret: string, named: { label?: string; issuer?: string; digits?: number } = {}): TOTP {
  const { digits = 6, ...names } = named;
  return new TOTP({ secret: Secret.fromBase32(secret), algorithm: "SHA1", digits, period: periodSeconds, ...names });
}
