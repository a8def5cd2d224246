import type { OwnFields } from "../../../engine/resources/own-fields.ts";
import type { RecordBody } from "../../../engine/resources/resource.ts";
import { holdersOf } from "../../../engine/writing/write-own-fields.ts";
import { finding } from "../../../fiscal/findings/finding.ts";
import { recordSetNames } from "./own-fields.ts";
import type { Incoming, ReadResult } from "./read-record.ts";
import type { WorkingSet } from "./working-set.ts";

/**
 * A register cannot know which ids are taken: the record is stored without one that another has, and flagged. So is one that is
 * brought back after another record took its id.
 */
export async function settleExternalIds(batch: WorkingSet, reads: readonly ReadResult[]): Promise<ReadResult[]> {
  const wanted = reads.map(({ readable }) => (readable ? wantedId(batch, readable) : undefined));
  if (wanted.every((id) => id === undefined)) return [...reads];
  const holders = new Map<string, string>();
  for (const [type, name] of Object.entries(recordSetNames)) {
    const ids = wanted.filter((id, i) => id !== undefined && reads[i]!.readable?.type === type);
    if (ids.length === 0) continue;
    for (const { external_id, id } of await holdersOf(batch.write, name, ids as string[]))
      holders.set(`${type} ${external_id}`, id);
  }
  return reads.map((read, i): ReadResult => {
    const [{ readable }, id] = [read, wanted[i]];
    if (!readable || id === undefined) return read;
    const key = `${readable.type} ${id}`;
    const holder = holders.get(key) ?? readable.id;
    holders.set(key, holder);
    return holder === readable.id ? read : { readable: withoutId(batch, readable, id) };
  });
}

function storedBody({ recordSets }: WorkingSet, { type, id }: Incoming): (RecordBody & OwnFields) | undefined {
  const name = recordSetNames[type as keyof typeof recordSetNames];
  return name && recordSets[name].get(id)?.body;
}

/** The id that the upload gives to its record, or that comes back with it. */
function wantedId(batch: WorkingSet, record: Incoming): string | undefined {
  const { data, op } = record;
  const returns = op === "upsert" && data.deleted_at === null ? storedBody(batch, record)?.external_id : undefined;
  return (data.external_id as string | null | undefined) ?? returns;
}

function withoutId(batch: WorkingSet, record: Incoming, id: string): Incoming {
  const stored = storedBody(batch, record)?.external_id;
  const message = "Otro registro ya tiene este identificador: no se guardó.";
  const { external_id, ...data } = record.data;
  return {
    ...record,
    data: stored === id ? { ...data, external_id: null } : data,
    ...(record.changed && stored === id && { changed: [...record.changed, "external_id"] }),
    findings: [...record.findings, finding("external_id", null, id, message)],
  };
}
