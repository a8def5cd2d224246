import type { Queryable } from "../../db/pool.ts";
import { ApiError } from "../../lib/errors.ts";
import { calledBy, ownersOf } from "./membership.ts";
import { missingRights, type NeededRight } from "./needed-right.ts";
import { rights } from "./rights.ts";
import type { Session } from "./session.ts";

/** Refuses what a person's role does not allow, and says who can give it. */
export async function requireRight(db: Queryable, session: Session, needed: NeededRight): Promise<void> {
  const [missing] = missingRights(session.rights, needed);
  if (missing === undefined) return;
  const ask = (await ownersOf(db, session.accountId)).map(calledBy);
  const whom = ask.length === 0 ? "quien es dueño del negocio" : ask.join(" o a ");
  throw new ApiError("INSUFFICIENT_RIGHTS", {
    message: `Con su rol (${session.roleTitle}) no puede ${rights[missing].words}. Pídaselo a ${whom}.`,
    extra: { required_right: missing, ask },
  });
}
