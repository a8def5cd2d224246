import { useState } from "react";
import { pesos, day as shortDay, time } from "../../../register/format.ts";
import type { ListedSale } from "../../../register/protocol.ts";
import type { KeptSale } from "../../../register/sale.ts";
import { paymentName } from "../../../src/taxes/means.ts";
import { useOpen } from "../use-device.ts";
import type { ShopSalesView } from "../use-shop-sales.ts";

/** Sales of any register, as the service lists them; opening one asks it for the whole sale. */
export function ShopSalesList(props: { view: ShopSalesView; isAnyDay: boolean; onOpen: (sale: KeptSale) => void }) {
  const { view, isAnyDay, onOpen } = props;
  const { shop } = useOpen();
  const [problem, setProblem] = useState<string>();
  async function open(id: string): Promise<void> {
    setProblem(undefined);
    try {
      onOpen(await shop.look(id));
    } catch {
      setProblem("El servicio no respondió. Pruebe de nuevo en un momento.");
    }
  }
  if (!view.sales) return <p role="status">Preguntando al servicio…</p>;
  return (
    <>
      {problem && (
        <p role="alert" className="problem">
          {problem}
        </p>
      )}
      {view.sales.length === 0 && <p className="empty">Ninguna caja tiene ventas así.</p>}
      <ul className="rows">
        {view.sales.map((sale) => (
          <li key={sale.id}>
            <button type="button" onClick={() => void open(sale.id)}>
              <span>
                {sale.ticket_number !== null && (
                  <>
                    <strong>{sale.ticket_number}</strong> ·{" "}
                  </>
                )}
                {isAnyDay && `${shortDay(sale.occurred_at)} `}
                {time(sale.occurred_at)} {stateOf(sale)}
              </span>
              <span>
                {sale.customer_name ?? sale.description}
                <small className="dim"> {[sale.register, ...sale.documents].filter(Boolean).join(" ")}</small>
              </span>
              <span>{sale.means.map(paymentName).join(" + ")}</span>
              <strong>{pesos(sale.total)}</strong>
            </button>
          </li>
        ))}
      </ul>
      {view.more && (
        <button type="button" onClick={view.more}>
          Ver más
        </button>
      )}
    </>
  );
}

function stateOf({ status, is_returned }: ListedSale): string {
  return status === "cancelled" ? "· anulada" : is_returned ? "· con devolución" : "";
}
