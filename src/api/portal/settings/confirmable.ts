import type { NeededRight } from "../../../access/people/needed-right.ts";
import type { Told } from "../../../access/people/told/tell.ts";
import type { Client } from "../../../db/pool.ts";
import type { Deps } from "../../../deps.ts";
import type { SecretKeys } from "../../../lib/secret-keys.ts";

export interface Context {
  deps: Deps;
  /** Holds the account lock. */
  client: Client;
  accountId: string;
  /** Who acts. */
  personId: string;
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
  /** Of an act that whoever is told may take back with a link. */
  told?: Pick<Told, "kind" | "about">;
}

export interface Confirmable<P, R> {
  /** Of whoever asks for it, and still has when the code comes back. */
  right: NeededRight;
  /** The permissions that whoever acts hands out: she must be allowed to do what they allow. */
  scopes?: (payload: P) => readonly string[];
  /** What the mail with the code says about the change. */
  describe: (payload: P) => Text;
  /** An address that gets a second code, besides that of whoever acts: both are required. */
  newAddress?: (payload: P) => string;
  /** The payload with its secrets decrypted, to tell whether two requests are equal. */
  unseal?: (holder: { secretKey: SecretKeys; accountId: string }, payload: P) => object;
  /** Makes the change. `result` is sent to the session, once; `details` go to the audit log and contain no secret. */
  perform: (context: Context, payload: P) => Promise<Done<R>>;
  /** What the security notice says afterwards. */
  notice: (payload: P) => Text & { ifNotYou?: string };
  /** Where the notice goes, if not to whoever acted and to the owners. */
  noticeTo?: (payload: P) => string;
}
