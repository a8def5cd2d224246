import type { Access } from "../../access/api-keys/access-cache.ts";
import { type RateLimiter, type RateState, rateLimiter } from "../http/rate-limit.ts";
import type { SharedLimits } from "../http/shared-limits.ts";

/** A business with many keys may ask for as much as this many of them, so that it does not crowd out the others. */
const keysAtFullRate = 4;

/** The bucket of each key, and one for all keys of an account. */
export interface KeyLimits {
  take(access: Access): boolean;
  giveBack(access: Access): void;
  /** Of the bucket that is nearer to its end. */
  state(access: Access): RateState;
}

export function keyLimits(perSecond: number, burst: number, shared: SharedLimits | undefined): KeyLimits {
  const keys = rateLimiter(perSecond, burst);
  const accounts = rateLimiter(keysAtFullRate * perSecond, keysAtFullRate * burst);
  shared?.join("key", keys);
  shared?.join("account", accounts);
  return {
    take({ keyId, accountId }) {
      if (!keys.take(keyId)) return false;
      if (accounts.take(accountId)) return true;
      keys.giveBack(keyId);
      return false;
    },
    giveBack({ keyId, accountId }) {
      keys.giveBack(keyId);
      accounts.giveBack(accountId);
    },
    state: ({ keyId, accountId }) => nearest(keys, keyId, accounts, accountId),
  };
}

function nearest(keys: RateLimiter, keyId: string, accounts: RateLimiter, accountId: string): RateState {
  const [own, ofAll] = [keys.state(keyId), accounts.state(accountId)];
  return ofAll.remaining < own.remaining ? ofAll : own;
}
