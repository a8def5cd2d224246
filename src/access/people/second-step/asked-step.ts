import type { Queryable } from "../../../db/pool.ts";
import type { CoreDeps } from "../../../engine/deps.ts";
import { isNewBrowser } from "../tell-new-browser.ts";
import { kindsOf } from "./factors.ts";
import type { StepKind } from "./kinds.ts";
import { isTrustedBrowser } from "./trusted-browser.ts";

/**
 * What somebody whose password was right must show besides, empty if nothing. Whoever has a factor shows it in each browser that did
 * not see it in the last 30 days. Of whoever has none, a new browser is asked for a mailed code, where mail leaves the installation:
 * without SMTP, which only the test environment may be, everybody reads the same mailbox, and a code from there proves nothing. The
 * very first sign-in is that of whoever was just given the password. See decision 76.
 */
export async function askedOf(
  { pool, config }: { pool: Queryable; config: CoreDeps["config"] },
  signingIn: { personId: string; browserToken: string | undefined; knownSince: Date | undefined; now: Date },
): Promise<StepKind[]> {
  const { personId, browserToken, now } = signingIn;
  const kinds = await kindsOf(pool, personId);
  if (kinds.length > 0) return (await isTrustedBrowser(pool, personId, browserToken, now)) ? [] : kinds;
  if (config.smtpUrl === undefined || !(await isNewBrowser(pool, signingIn))) return [];
  return ["mailed_code"];
}
