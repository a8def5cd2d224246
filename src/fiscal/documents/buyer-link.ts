import type { Config } from "../../config.ts";
import { uuidBytes, uuidOfBytes } from "../../lib/ids.ts";
import { hmac, isMacOfAny, lastingKeys } from "../../lib/secret-keys.ts";

/** Where a buyer sees what became of his purchase, without an account. */
export const buyerPath = "/d";

type Secrets = Pick<Config, "secretKeys" | "retiredKeys">;
export type LinkConfig = Secrets & Pick<Config, "publicUrl">;

/** Of an account and one of its sales: the document may not exist yet when a ticket with the link is printed. */
export interface Purchase {
  accountId: string;
  saleId: string;
}

const idBytes = 16;
/** Half of SHA-256: as unguessable as a random id that nobody stores. */
const macBytes = 16;

/** Holds as long as the sale does: printed tickets outlast the installation's key. */
export function buyerLink(config: LinkConfig, { accountId, saleId }: Purchase): string {
  const [account, sale] = [uuidBytes(accountId), uuidBytes(saleId)];
  const [key] = lastingKeys(config, "document links");
  return `${config.publicUrl}${buyerPath}/${Buffer.concat([account, sale, macOf(accountKey(key, account), sale)]).toString("base64url")}`;
}

/** What a register makes the links of its own sales with, before anybody else knows of them. See register/buyer-link.ts. */
export interface DocumentLinks {
  url: string;
  account_id: string;
  /** In base64url. */
  key: string;
}

export function documentLinks(config: LinkConfig, accountId: string): DocumentLinks {
  const [key] = lastingKeys(config, "document links");
  return {
    url: `${config.publicUrl}${buyerPath}/`,
    account_id: accountId,
    key: accountKey(key, uuidBytes(accountId)).toString("base64url"),
  };
}

/** Undefined for a token that we did not make. Asks no database: a guess costs next to nothing. */
export function readBuyerToken(config: Secrets, token: string): Purchase | undefined {
  const bytes = Buffer.from(token, "base64url");
  // What decodes to the same bytes in another spelling is another address.
  if (bytes.length !== 2 * idBytes + macBytes || bytes.toString("base64url") !== token) return undefined;
  const account = bytes.subarray(0, idBytes);
  const sale = bytes.subarray(idBytes, 2 * idBytes);
  const keys = lastingKeys(config, "document links");
  const isOurs = isMacOfAny(bytes.subarray(2 * idBytes), keys, (key) => macOf(accountKey(key, account), sale));
  return isOurs ? { accountId: uuidOfBytes(account), saleId: uuidOfBytes(sale) } : undefined;
}

/** One account's own, so that a register that held it could make links of its shop's sales alone. */
function accountKey(key: Buffer, account: Buffer): Buffer {
  return hmac(key, account);
}

function macOf(key: Buffer, sale: Buffer): Buffer {
  return hmac(key, sale).subarray(0, macBytes);
}
