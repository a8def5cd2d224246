import { recordMovement } from "../../business/inventory/record-movement.ts";
import { warehouses } from "../../business/inventory/resource.ts";
import { createWarehouse } from "../../business/inventory/warehouse-operations.ts";
import { createLocation, updateLocation } from "../../business/locations/operations.ts";
import { type WritingDeps, writing } from "../../engine/writing/writing.ts";
import type { Shop } from "./shop.ts";

/** Where the demo sells, and out of which warehouse. */
export interface Sede {
  id: string;
  warehouseId: string;
}

/** Of what the shop has, the part that stands in the second sede when it opens. */
const shareOfSecond = 0.35;

/** The sede that the business was born with, and a smaller one with a warehouse of its own, filled from the first one's. */
export async function openSedes(deps: WritingDeps, accountId: string, shop: Shop): Promise<[Sede, Sede]> {
  const sedes = await writing(deps, accountId, async (write): Promise<[Sede, Sede]> => {
    await updateLocation(write, accountId, {
      name: "Centro",
      address: "Cra 45 # 12-34",
      municipality: "05001",
      phone: "604 555 0134",
      establishment_code: "0001",
      color: "#b3261e",
      default_warehouse_id: shop.warehouseId,
    });
    const second = await createLocation(write, {
      name: "Laureles",
      address: "Cl 37 # 78-21, Laureles",
      municipality: "05001",
      phone: "604 555 0178",
      establishment_code: "0002",
      color: "#0f766e",
      ticket_footer: "Gracias por venir a Laureles. Domicilios al 604 555 0178.",
    });
    return [
      { id: accountId, warehouseId: shop.warehouseId },
      { id: second.id, warehouseId: "" },
    ];
  });
  const [, second] = sedes;
  await writing(deps, accountId, async (write) => {
    const made = await createWarehouse(write, { name: "Laureles", location_id: second.id });
    write.put(warehouses, { body: { ...made, address: "Cl 37 # 78-21", city: "Medellín" } });
    second.warehouseId = made.id;
  });
  await writing(deps, accountId, (write) =>
    updateLocation(write, second.id, { default_warehouse_id: second.warehouseId }),
  );
  await fillSecond(deps, accountId, shop, sedes);
  return sedes;
}

async function fillSecond(
  deps: WritingDeps,
  accountId: string,
  shop: Shop,
  [first, second]: readonly [Sede, Sede],
): Promise<void> {
  await writing(deps, accountId, (write) => {
    for (const [id, product] of shop.products) {
      const quantity = Math.round((product.body.stock ?? 0) * shareOfSecond);
      if (quantity === 0) continue;
      const moved = { quantity, unit_cost: null, reason: "Apertura de Laureles", origin_type: null };
      const out = { ...moved, warehouse_id: first.warehouseId, location_id: first.id, type: "transfer_out" };
      const taken = recordMovement(write, product, out);
      const into = { ...moved, warehouse_id: second.warehouseId, location_id: second.id, type: "transfer_in" };
      const brought = recordMovement(write, taken.product, into);
      shop.products.set(id, brought.product);
      taken.emitCreated();
      brought.emitCreated();
    }
  });
}
