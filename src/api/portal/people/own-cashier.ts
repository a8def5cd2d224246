import type { Session } from "../../../access/people/session.ts";
import { type Cashier, listCashiers, maxCashiers } from "../../../business/counter/cashiers.ts";
import type { Deps } from "../../../deps.ts";
import { ApiError, validationError } from "../../../lib/errors.ts";

export const isOfSome = ({ locationIds }: Session, ids: readonly string[]) =>
  locationIds === null || ids.some((id) => locationIds.includes(id));

/** Whoever has only some sedes changes those who work nowhere else. */
export async function requireOwnCashier({ pool }: Deps, session: Session, id: string): Promise<Cashier | undefined> {
  const { accountId, locationIds } = session;
  const found = (await listCashiers(pool, accountId)).find((one) => one.id === id.toLowerCase());
  if (locationIds === null) return found;
  const places = found?.location_ids;
  if (!found || (places && !isOfSome(session, places))) throw unknownCashier();
  if (!places?.every((place) => locationIds.includes(place)))
    throw new ApiError("INSUFFICIENT_RIGHTS", {
      message: `${found.name} atiende también en otras sedes. Pida el cambio a quien es dueño del negocio.`,
    });
  return found;
}

export function tooManyCashiers(param: string): ApiError {
  return validationError([{ param, message: `Ya hay ${maxCashiers} personas. Retire a alguna primero.` }]);
}

export function unknownCashier(): ApiError {
  return new ApiError("NOT_FOUND", { param: "id", message: "No existe esta persona en la cuenta." });
}
