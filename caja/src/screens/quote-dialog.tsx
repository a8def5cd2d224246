import { useState } from "react";
import { pesos, quantity } from "../../../register/format.ts";
import { isInForce, numberOf, type Quote, stateOf } from "../../../register/quote.ts";
import { paperText, quotePaper } from "../../../register/quote-paper.ts";
import { Paper } from "../paper/paper.tsx";
import { PrintButton } from "../paper/print-button.tsx";
import { printPaper } from "../paper/printer.ts";
import { useAuthorization } from "../ui/authorization.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { useCounter, useOpen } from "../use-device.ts";

interface Props {
  quote: Quote;
  onClose: () => void;
  /** Offered where one may go on selling with it. */
  onTakenUp?: () => void;
}

/** A quote on its paper: printed, shared, or sold. */
export function QuoteDialog({ quote, onClose, onTakenUp }: Props) {
  const { quotes } = useOpen();
  const { business } = useCounter();
  const [said, setSaid] = useState<string>();
  const state = stateOf(quote, new Date());
  const isLate = state !== "converted" && !isInForce(quote, new Date());
  const authorize = useAuthorization();
  const what = [
    `Vender la cotización ${numberOf(quote)}, ${state === "expired" ? "vencida" : "rechazada"}, por ${pesos(quote.total)}`,
    ...quote.items.map(
      (item) => `${quantity(item.quantity)} × ${item.description ?? "Producto"}, ${pesos(item.unit_price)}`,
    ),
  ];
  async function sell(onDone: () => void) {
    const permit = isLate ? await authorize("price", what) : undefined;
    if (isLate && !permit) return;
    quotes.takeUp(quote, permit);
    onDone();
  }
  const blocks = quotePaper(quote, business, new Date());
  return (
    <Dialog title={`Cotización ${numberOf(quote)}`} onClose={onClose} wide>
      {isLate && onTakenUp && (
        <p className="notice">
          {state === "expired" ? "Venció" : "El cliente la rechazó"}. Si la vende, conserva los precios que se
          ofrecieron: eso lo decide quien puede cambiar precios.
        </p>
      )}
      <Paper blocks={blocks} />
      {said && <p role="status">{said}</p>}
      <div className="buttons">
        <PrintButton onPrint={() => void printPaper(blocks)} />
        <button type="button" onClick={() => void share(paperText(blocks)).then(setSaid)}>
          Compartir
        </button>
        {onTakenUp && state !== "converted" ? (
          <button type="button" className="primary" data-autofocus onClick={() => void sell(onTakenUp)}>
            Vender
          </button>
        ) : (
          <button type="button" className="primary" data-autofocus onClick={onClose}>
            Listo
          </button>
        )}
      </div>
    </Dialog>
  );
}

/** By the device's own list of apps, or else by the clipboard. Returns what there is to say about it. */
async function share(text: string): Promise<string | undefined> {
  try {
    if ("share" in navigator) {
      await navigator.share({ text });
      return undefined;
    }
    await (navigator as Navigator).clipboard.writeText(text);
    return "Copiada: péguela en un mensaje.";
  } catch (error) {
    if (error instanceof Error && error.name === "AbortError") return undefined;
    return "Este equipo no deja compartir. Imprímala.";
  }
}
