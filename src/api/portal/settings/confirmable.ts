import type { Client } from "../../../db/pool.ts";
import type { Deps } from "../../../deps.ts";
import type { SecretKeys } from "../../../lib/secret-keys.ts";

export interface Context {
  deps: Deps;
  /** Holds the account lock. */
  client: Client;
  accountId: string;
  hasPro: boolean;
  now: Date;
}

interface Text {
  title: string;
  lines: string[];
}

interface Done<R> {
  result: R;
  details: Record<string, unknown>;
  /** A link in the notice that undoes the change. */
  undoLink?: string;
}

/** A change that requires a mailed code. */
export interface Confirmable<P, R> {
  /** What the mail with the code says about the change. */
  describe: (payload: P) => Text;
  /** An address that gets a second code, besides the account's: both are required. */
  newAddress?: (payload: P) => string;
  /** The payload with its secrets decrypted, to tell whether two requests are equal. */
  unseal?: (holder: { secretKey: SecretKeys; accountId: string }, payload: P) => object;
  /** Makes the change. `result` is sent to the session, once; `details` go to the audit log and contain no secret. */
  perform: (context: Context, payload: P) => Promise<Done<R>>;
  /** What the security notice says afterwards. */
  notice: (payload: P) => Text;
  /** Where the notice goes, if not to the account's own address. */
  noticeTo?: (payload: P) => string;
}
