import { randomUUID } from "node:crypto";
import type { Entry } from "../../register/protocol.ts";
import { syncClient } from "../../register/sync-client.ts";
import { createEnrolmentCode } from "../../src/access/devices/create-enrolment-code.ts";
import type { EnrollingDeps } from "./open-page.ts";

const words = ["Café", "Arroz", "Aceite", "Jabón", "Leche", "Queso", "Panela", "Galletas", "Chocolate", "Atún"];

/** A shop whose products came from another register. */
export async function fillCounter(
  deps: EnrollingDeps,
  accountId: string,
  url: string,
  products: number,
): Promise<void> {
  const { code } = await createEnrolmentCode(deps, { accountId, name: "Bodega" });
  const client = syncClient(url);
  const { token } = await client.enrol(code, "Bodega");
  const edited_at = new Date().toISOString();
  const record = (seq: number, type: string, data: object): Entry => ({
    ...{ device_seq: seq, type, id: randomUUID(), op: "upsert", base_seq: 0, edited_at, changed: null, data },
  });
  const all = [
    record(1, "warehouse", { name: "Principal", is_default: true, active: true }),
    ...Array.from({ length: products }, (_, i) =>
      record(i + 2, "product", {
        name: `${words[i % words.length]} ${words[Math.floor(i / 10) % words.length]} número ${i}`,
        sku: String(7_700_000_000_000 + i),
        base_price: 1000 + (i % 90) * 100,
        final_price: 1000 + (i % 90) * 100,
        tax_class: "standard",
        base_unit: "und",
        sold_by_weight: false,
        active: true,
        sellable: true,
        variants: [],
      }),
    ),
  ];
  for (let from = 0; from < all.length; from += 200) await client.push(token, edited_at, all.slice(from, from + 200));
}
