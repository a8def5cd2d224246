import { day } from "../../lib/clock.ts";

/** What the request log keeps of a request besides its line. */
export interface RequestDetails {
  /** Without the question mark; null when there was none. */
  query: string | null;
  errorCode: string | null;
  /** As JSON. */
  requestHeaders: string;
  responseHeaders: string;
}

type Headers = Readonly<Record<string, string | number | readonly string[] | undefined>>;

const maxQueryLength = 2_000;
const maxHeaderLength = 500;
const maxHeaders = 40;
const hidden = "(oculto)";
/** An API key wherever it stands, someone else's included. */
const anyKey = /mst_(live|test)_\w+/g;
/** Headers and parameters whose value may be a secret. The idempotency key is not one, and helps to find a request. */
const secretName = /auth|cookie|token|secret|passw|signature|credential|api[-_]?key|session/i;

/** The headers without secrets: of the key that was sent, the last four characters remain. */
export function withoutSecrets(headers: Headers): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers).slice(0, maxHeaders)) {
    if (value === undefined) continue;
    kept[name] = headerText(name, Array.isArray(value) ? value.join(", ") : String(value));
  }
  return kept;
}

function headerText(name: string, value: string): string {
  const key = /^Bearer (mst_(?:live|test)_)\w*(\w{4})$/.exec(value);
  if (name === "authorization" && key) return `Bearer ${key[1]}…${key[2]}`;
  if (secretName.test(name) && name !== "www-authenticate") return hidden;
  return storable(value.replace(anyKey, hidden)).slice(0, maxHeaderLength);
}

/** The query of a URL without secrets; null when there is none. */
export function queryWithoutSecrets(url: string): string | null {
  const start = url.indexOf("?");
  if (start === -1) return null;
  const pairs = url
    .slice(start + 1)
    .split("&")
    .map((pair) => (secretName.test(pair.split("=", 1)[0]!) ? `${pair.split("=", 1)[0]}=${hidden}` : pair));
  return storable(pairs.join("&").replace(anyKey, hidden)).slice(0, maxQueryLength);
}

/** The database stores no NUL. */
function storable(text: string): string {
  return text.replaceAll("\0", "");
}

/** A day's allowance of an account in this process: a busy integration must not fill the disk with its headers. */
export const detailedPerDay = 10_000;
export const linesPerDay = 500_000;

export interface Allowance {
  /** Whether a request still gets its line, and its details. Failures have an allowance of their own. */
  take(accountId: string, at: Date, isFailure: boolean): { line: boolean; details: boolean };
}

export function dailyAllowance(): Allowance {
  let today = Number.NaN;
  const taken = { requests: new Map<string, number>(), failures: new Map<string, number>() };
  return {
    take(accountId, at, isFailure) {
      const thisDay = Math.floor(at.getTime() / day);
      if (thisDay !== today) {
        today = thisDay;
        taken.requests.clear();
        taken.failures.clear();
      }
      const counts = isFailure ? taken.failures : taken.requests;
      const count = (counts.get(accountId) ?? 0) + 1;
      counts.set(accountId, count);
      return { line: count <= linesPerDay, details: count <= detailedPerDay };
    },
  };
}
