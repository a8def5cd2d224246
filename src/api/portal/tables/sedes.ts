/** Of which sedes a list or a report is asked; null for the whole business. */
export type OfSedes = { location_ids?: readonly string[] | null };

/** Whoever looks: the sedes that are hers, or null for all of them, also those to come. */
interface Looking {
  accountId: string;
  locationIds?: readonly string[] | null | undefined;
}

/** The sede that is asked for, or else all that are hers. Of another's there is nothing. */
export function sedesAsked(session: Looking, asked: string | undefined): readonly string[] | null {
  const own = session.locationIds ?? null;
  if (asked === undefined) return own;
  const id = asked.toLowerCase();
  return own === null || own.includes(id) ? [id] : [];
}
