import { useEffect, useState } from "react";
import { may } from "../../../register/cashiers.ts";
import { methodName, pesos, time } from "../../../register/format.ts";
import type { KeptSale } from "../../../register/sale.ts";
import { folded } from "../../../register/search.ts";
import { PrintButtons } from "../paper/print-buttons.tsx";
import { SalePaper } from "../paper/sale-paper.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { storeProblem } from "../ui/problems.ts";
import { useCounter, useDevice, useOpen } from "../use-device.ts";

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
                {sale.data.status === "cancelled" ? " · anulada" : ""}
              </span>
              <span>{sale.customer_name ?? sale.data.items[0]?.description}</span>
              <span>{sale.charge.payments.map(({ payment_method }) => methodName(payment_method)).join(" + ")}</span>
              <strong>{pesos(sale.data.total)}</strong>
            </button>
          </li>
        ))}
      </ul>
      {opened && <SaleDialog sale={opened} onChange={setOpened} onClose={() => setOpened(undefined)} />}
    </section>
  );
}

function textOf({ number, data, customer_name }: KeptSale): string {
  return folded([number, data.total, customer_name, ...data.items.map(({ description }) => description)].join(" "));
}

function SaleDialog(props: { sale: KeptSale; onChange: (sale: KeptSale) => void; onClose: () => void }) {
  const { sale, onChange, onClose } = props;
  const { counter } = useOpen();
  const device = useDevice();
  const { cashier } = useCounter();
  const [isAsking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string>();
  async function cancel() {
    setAsking(false);
    try {
      onChange(await counter.cancel(sale));
      device.wake();
    } catch (error) {
      setProblem(storeProblem(error));
    }
  }
  const mayCancel = may(cashier, "cancel") && sale.data.status === "completed";
  return (
    <Dialog title={`Venta ${sale.number}`} onClose={onClose} wide>
      <SalePaper sale={sale} />
      {problem && (
        <p role="alert" className="problem">
          {problem}
        </p>
      )}
      {isAsking ? (
        <div className="stack">
          <p>
            Se anula la venta completa, vuelven las existencias y {pesos(sale.data.total)} salen de las cuentas del
            turno.
          </p>
          <div className="buttons">
            <button type="button" onClick={() => setAsking(false)}>
              No anular
            </button>
            <button type="button" className="danger" onClick={() => void cancel()}>
              Sí, anular
            </button>
          </div>
        </div>
      ) : (
        <div className="buttons">
          {mayCancel && (
            <button type="button" className="danger" onClick={() => setAsking(true)}>
              Anular
            </button>
          )}
          <PrintButtons sale={sale} />
        </div>
      )}
    </Dialog>
  );
}
