import type { NumberingRange } from "../numbering/numbering.ts";
import type { SkippedNumbers } from "../numbering/skipped-numbers.ts";
import type { IssuerProfile } from "./profile.ts";

/** A profile as people and scripts may see it: for each secret, only whether it is set. */
export function shownProfile(profile: IssuerProfile) {
  const { nit, regime, pricesIncludeTax, documents, softwarePin, authorityToken, settings, since } = profile;
  return {
    nit,
    regime,
    prices_include_tax: pricesIncludeTax,
    documents,
    has_pin: softwarePin !== null,
    has_authority_token: authorityToken !== null,
    settings,
    since: since.toISOString(),
  };
}

export function shownRange(range: NumberingRange) {
  const { id, kind, prefix, resolution, first, last, next, validFrom, validUntil, technicalKey } = range;
  return {
    id,
    kind,
    prefix,
    resolution,
    from: first,
    to: last,
    next,
    valid_from: validFrom,
    valid_until: validUntil,
    register_id: range.registerId,
    warehouse_id: range.warehouseId,
    location_id: range.locationId,
    has_technical_key: technicalKey !== null,
  };
}

export function shownRangeWithSkipped(range: NumberingRange, skipped: readonly SkippedNumbers[]) {
  const own = skipped.filter(({ rangeId }) => rangeId === range.id);
  return {
    ...shownRange(range),
    skipped: own.map(({ first, last, reason, by, at }) => ({
      from: first,
      to: last,
      reason,
      by,
      at: at.toISOString(),
    })),
  };
}
