import type { Session } from "../../../access/people/session.ts";
import {
  type CashierChanges,
  isPinTaken,
  listCashiers,
  meetsSamePin,
  type WantedPin,
} from "../../../business/counter/cashiers.ts";
import type { Deps } from "../../../deps.ts";
import { minute, second } from "../../../lib/clock.ts";
import { validationError } from "../../../lib/errors.ts";
import { rateLimited, rateLimiter } from "../../http/rate-limit.ts";

/** What a person may spend on PINs in this time: so many new cashiers, or a third as many PINs that are changed or were taken. */
const budget = 30;
const spentWithin = 10 * minute;
const ofGuess = 3;

const tooOften = "Se cambiaron muchos PIN en pocos minutos. Espere unos minutos y siga desde aquí: lo guardado queda.";

/**
 * Whether a PIN may be a cashier's. The answer tells of others' PINs: it is asked only about those who may stand at the same register,
 * and not often enough to try them all.
 */
export function pinChecks(deps: Deps) {
  const spent = rateLimiter(budget / (spentWithin / second), budget);
  deps.sharedLimits?.join("portal pins", spent);

  function spend({ accountId, personId }: Session, weight: number): void {
    const name = `${accountId} ${personId}`;
    if (!spent.take(name, weight)) throw rateLimited(spent.state(name, weight), tooOften);
  }

  async function check(session: Session, wanted: WantedPin): Promise<void> {
    spend(session, wanted.ownerId === undefined ? 1 : ofGuess);
    if (!(await isPinTaken(deps, session.accountId, wanted))) return;
    if (wanted.ownerId === undefined) spend(session, ofGuess - 1);
    const message = "Otra persona ya tiene ese PIN, y en la caja no se sabría quién fue. Escoja otro.";
    throw validationError([{ param: "pin", message }]);
  }

  return {
    check,
    async checkChange(session: Session, id: string, { pin, location_ids }: CashierChanges): Promise<void> {
      if (pin === undefined && location_ids === undefined) return;
      const { accountId } = session;
      const before = (await listCashiers(deps.pool, accountId)).find((one) => one.id === id);
      if (!before) return;
      const places = location_ids === undefined ? before.location_ids : location_ids;
      if (pin !== undefined) return check(session, { pin, location_ids: places, ownerId: id });
      if (isSame(before.location_ids, places)) return;
      if (!(await meetsSamePin(deps.pool, accountId, { id, location_ids: places && [...places] }))) return;
      const message = `Alguien de esas sedes tiene el mismo PIN que ${before.name}. Escriba aquí un PIN nuevo para guardarlo con las sedes.`;
      throw validationError([{ param: "pin", message }]);
    },
  };
}

/** A form sends the sedes as they are: nobody meets somebody new. */
function isSame(before: readonly string[] | null, after: readonly string[] | null): boolean {
  if (before === null || after === null) return before === after;
  const ids = new Set(before);
  return after.length === ids.size && after.every((id) => ids.has(id.toLowerCase()));
}
