import { Text } from "@mantine/core";
import { Link } from "wouter";
import { movementList } from "../../../src/api/portal/lists/stock-movements.ts";
import { useFilters } from "../lib/address.ts";
import { number, pesos } from "../lib/format.ts";
import { useProduct, useWarehouses } from "../lib/stock-queries.ts";
import { ListPage } from "../lists/list-page.tsx";
import { warehouseChoices } from "./inventory.tsx";

const { page } = movementList;
const ofOneWarehouse = { ...movementList, page: page.filter((name) => name !== "warehouse") };

export default function StockMovements() {
  const [{ producto }] = useFilters(["producto"]);
  const warehouses = warehouseChoices(useWarehouses().data);
  const lead = producto ? (
    <OfProduct id={producto} />
  ) : (
    "Todo lo que entró, salió o se ajustó. Un movimiento nunca se edita: se corrige con otro."
  );
  return (
    <ListPage
      list={warehouses ? movementList : ofOneWarehouse}
      heading={{ lead, back: { to: "/inventario", label: "Inventario" } }}
      label="Movimientos"
      choices={{ warehouse_id: warehouses }}
      cells={{
        product: ({ product_name, product_id }) =>
          product_name === null ? "Producto por llegar" : <Link href={`/productos/${product_id}`}>{product_name}</Link>,
        change: ({ change, base_unit }) => (
          <span>
            <strong>
              {change > 0 ? "+" : ""}
              {number(change)}
            </strong>{" "}
            {base_unit}
          </span>
        ),
        unit_cost: ({ unit_cost }) => (unit_cost === null ? "—" : pesos(unit_cost)),
        reason: ({ sale_id, reason, reference }) => (
          <div>
            {sale_id === null ? (reason ?? "—") : <Link href={`/ventas/${sale_id}`}>Venta</Link>}
            {reference && (
              <Text size="sm" c="dimmed" component="div">
                {reference}
              </Text>
            )}
          </div>
        ),
      }}
      words={{
        icon: "stock",
        none: "Todavía no hay movimientos",
        noMatch: "Ningún movimiento coincide",
        hint: "Aparecen con cada venta, compra o ajuste.",
      }}
    />
  );
}

function OfProduct({ id }: { id: string }) {
  const name = useProduct(id).data?.product.name;
  return (
    <>
      De <Link href={`/productos/${id}`}>{name ?? "un producto"}</Link>.{" "}
      <Link href="/inventario/movimientos">Ver los de todos</Link>
    </>
  );
}
