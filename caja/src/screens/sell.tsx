import { useState } from "react";
import type { CatalogProduct, CatalogVariant } from "../../../register/catalog.ts";
import type { KeptSale } from "../../../register/sale.ts";
import { lineOf, withLine } from "../../../register/ticket.ts";
import { useCounter, useOpen } from "../use-device.ts";
import { ChargeDialog } from "./charge.tsx";
import { FreeLineDialog, VariantDialog, WeightDialog } from "./line-dialogs.tsx";
import { MakeQuoteDialog } from "./make-quote.tsx";
import { Products } from "./products.tsx";
import { SoldDialog } from "./sold.tsx";
import { TicketPanel } from "./ticket-panel.tsx";

type Asking =
  | { kind: "weight"; product: CatalogProduct }
  | { kind: "variant"; product: CatalogProduct }
  | { kind: "free" }
  | { kind: "charge" }
  | { kind: "quote" }
  | { kind: "sold"; sale: KeptSale };

export function SellScreen() {
  const { counter } = useOpen();
  const [asking, setAsking] = useState<Asking>();
  const [side, setSide] = useState<"products" | "ticket">("products");
  const close = () => setAsking(undefined);

  function add(product: CatalogProduct, variant?: CatalogVariant, quantity?: number): void {
    const variants = (product.variants ?? []).filter(({ active }) => active !== false);
    if (variants.length > 0 && !variant) setAsking({ kind: "variant", product });
    else if (product.sold_by_weight && quantity === undefined) setAsking({ kind: "weight", product });
    else {
      counter.edit((ticket) => withLine(ticket, lineOf(crypto.randomUUID(), product, quantity ?? 1, variant)));
      close();
    }
  }

  return (
    <div className={`sell show-${side}`}>
      <Products onAdd={add} onFree={() => setAsking({ kind: "free" })} isBusy={asking !== undefined} />
      <TicketPanel onCharge={() => setAsking({ kind: "charge" })} onQuote={() => setAsking({ kind: "quote" })} />
      <SideSwitch side={side} onChange={setSide} />
      {asking?.kind === "weight" && (
        <WeightDialog
          product={asking.product}
          onWeight={(quantity) => add(asking.product, undefined, quantity)}
          onClose={close}
        />
      )}
      {asking?.kind === "variant" && (
        <VariantDialog product={asking.product} onChoose={(variant) => add(asking.product, variant)} onClose={close} />
      )}
      {asking?.kind === "free" && <FreeLineDialog onClose={close} />}
      {asking?.kind === "quote" && <MakeQuoteDialog onClose={close} />}
      {asking?.kind === "charge" && (
        <ChargeDialog onSold={(sale) => setAsking({ kind: "sold", sale })} onClose={close} />
      )}
      {asking?.kind === "sold" && (
        <SoldDialog
          sale={asking.sale}
          onClose={() => {
            close();
            setSide("products");
          }}
        />
      )}
    </div>
  );
}

/** On a phone the products and the ticket take turns. */
function SideSwitch({ side, onChange }: { side: string; onChange: (side: "products" | "ticket") => void }) {
  const { current } = useCounter();
  return (
    <div className="side-switch">
      <button type="button" aria-pressed={side === "products"} onClick={() => onChange("products")}>
        Productos
      </button>
      <button type="button" aria-pressed={side === "ticket"} onClick={() => onChange("ticket")}>
        Tiquete{current.lines.length > 0 ? ` (${current.lines.length})` : ""}
      </button>
    </div>
  );
}
