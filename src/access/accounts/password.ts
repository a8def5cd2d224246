import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

/** What the sign-in takes: whoever lets a longer one be set makes an account that nobody can enter. */
export const longestPassword = 200;
/** Long enough that guessing is hopeless at the pace the sign-in allows; nothing is said of its letters. */
export const shortestPassword = 10;
export const longestEmail = 200;

// OWASP's parameters for scrypt; 64 MB and about 0.2 s a guess.
const cost = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 };

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derive(password, salt, cost);
  return ["scrypt", cost.N, cost.r, cost.p, salt.toString("base64url"), key.toString("base64url")].join("$");
}

export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [scheme, n, r, p, salt, key] = stored.split("$");
  if (scheme !== "scrypt" || !salt || !key) return false;
  const expected = Buffer.from(key, "base64url");
  const given = await derive(password, Buffer.from(salt, "base64url"), {
    ...cost,
    N: Number(n),
    r: Number(r),
    p: Number(p),
  });
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/**
 * Node's thread pool has four threads, and compression and every new database connection need one too: sign-ins in a crowd
 * queue here, instead of holding up everything else.
 */
const mostAtOnce = 2;
let atWork = 0;
const waiting: (() => void)[] = [];

async function derive(password: string, salt: Buffer, options: typeof cost): Promise<Buffer> {
  if (atWork >= mostAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  else atWork += 1;
  try {
    return await new Promise((resolve, reject) => {
      scrypt(password.normalize("NFKC"), salt, 32, options, (error, key) => (error ? reject(error) : resolve(key)));
    });
  } finally {
    const next = waiting.shift();
    if (next) next();
    else atWork -= 1;
  }
}
