import { type Actor, recordAudit } from "../../../access/accounts/record-audit.ts";
import type { Deletion } from "./deletion.ts";
import type { Incoming } from "./read-record.ts";
import { registerName } from "./tell-findings.ts";
import type { WorkingSet } from "./working-set.ts";

/** More than these are counted. */
const mostNamed = 100;
const mostShown = 3;

const words: Partial<Record<Incoming["type"], readonly [one: string, many: string]>> = {
  product: ["un producto", "productos"],
  product_variant: ["una variante", "variantes"],
  category: ["una categoría", "categorías"],
  customer: ["un cliente", "clientes"],
  quote: ["una cotización", "cotizaciones"],
};

export function noteDeletion(batch: WorkingSet, { type, id, beside }: Incoming, body: object): void {
  batch.deleted.push({ type, id, name: nameOf(type, body), cashierId: beside?.cashierId ?? null });
}

function nameOf(type: Incoming["type"], body: object): string | null {
  const { name, prefix, number } = body as { name?: string; prefix?: string | null; number?: number | null };
  if (type === "customer") return null;
  return type === "quote" ? `${prefix ?? ""}${number ?? ""}` || null : (name ?? null);
}

/** Each push leaves one entry for what one person deleted of one kind: who, at which register, from where, and what. */
export async function auditDeletions(batch: WorkingSet, remoteAddress: string | null): Promise<void> {
  if (batch.deleted.length === 0) return;
  const { write, deviceId, judge } = batch;
  const register = await registerName(batch);
  const groups = Map.groupBy(batch.deleted, ({ type, cashierId }) => `${type} ${cashierId ?? ""}`);
  for (const group of groups.values()) {
    const [{ type, cashierId }] = group as [Deletion];
    const isKnown = cashierId !== null && judge.knows(cashierId);
    const actor: Actor = {
      ...{ kind: "register", sessionId: null, remoteAddress },
      ...(isKnown && { personName: judge.nameOf(cashierId) }),
    };
    const details = {
      device_id: deviceId,
      name: textOf(group, register),
      ...{ type, count: group.length },
      records: group.slice(0, mostNamed).map(({ id, name }) => ({ id, ...(name !== null && { name }) })),
    };
    await recordAudit(write.client, {
      accountId: write.accountId,
      at: write.at,
      action: "record.deleted",
      details,
      actor,
    });
  }
}

/** "2 productos: Pan, Leche · Caja 1" */
function textOf(group: readonly Deletion[], register: string | undefined): string {
  const [one, many] = words[group[0]!.type] ?? ["un registro", "registros"];
  const names = group.flatMap(({ name }) => name ?? []);
  const more = names.length > mostShown ? ` y ${names.length - mostShown} más` : "";
  const what = names.length > 0 ? `: ${names.slice(0, mostShown).join(", ")}${more}` : "";
  const where = register === undefined ? "" : ` · ${register}`;
  return `${group.length === 1 ? one : `${group.length} ${many}`}${what}${where}`;
}
