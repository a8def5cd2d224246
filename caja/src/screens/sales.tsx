import { useEffect, useState } from "react";
import { methodName, pesos, time } from "../../../register/format.ts";
import type { KeptSale } from "../../../register/sale.ts";
import { folded } from "../../../register/search.ts";
import { useCounter, useOpen } from "../use-device.ts";
import { SaleDialog } from "./sale-dialog.tsx";

/** The sales of the shift, newest first. */
export function SalesScreen({ shiftId }: { shiftId: string }) {
  const { counter } = useOpen();
  const { shift } = useCounter();
  const [sales, setSales] = useState<KeptSale[]>();
  const [query, setQuery] = useState("");
  const [opened, setOpened] = useState<KeptSale>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a sale or a cancellation changes the shift
  useEffect(() => {
    void counter.salesOf(shiftId).then(setSales);
  }, [counter, shiftId, shift]);
  /** Somebody may have closed it while the change was being stored. */
  const showIfOpen = (changed: KeptSale) => setOpened((current) => (current?.id === changed.id ? changed : current));
  const wanted = folded(query.trim());
  const shown = (sales ?? []).filter((sale) => wanted === "" || textOf(sale).includes(wanted));
  return (
    <section className="list">
      <h2>Ventas del turno</h2>
      <input
        type="search"
        aria-label="Buscar en las ventas"
        placeholder="Número, producto, cliente o valor"
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
      />
      {sales && shown.length === 0 && (
        <p className="empty">{sales.length === 0 ? "Todavía no hay ventas." : "Ninguna coincide."}</p>
      )}
      <ul className="rows">
        {shown.map((sale) => (
          <li key={sale.id}>
            <button type="button" onClick={() => setOpened(sale)}>
              <span>
                <strong>{sale.number}</strong> · {time(sale.data.occurred_at)}
                {sale.data.status === "cancelled" ? " · anulada" : sale.returns?.length ? " · con devolución" : ""}
              </span>
              <span>{sale.customer_name ?? sale.data.items[0]?.description}</span>
              <span>{sale.charge.payments.map(({ payment_method }) => methodName(payment_method)).join(" + ")}</span>
              <strong>{pesos(sale.data.total)}</strong>
            </button>
          </li>
        ))}
      </ul>
      {opened && <SaleDialog sale={opened} onChange={showIfOpen} onClose={() => setOpened(undefined)} />}
    </section>
  );
}

function textOf({ number, data, customer_name }: KeptSale): string {
  return folded([number, data.total, customer_name, ...data.items.map(({ description }) => description)].join(" "));
}
