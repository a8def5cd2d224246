import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { CatalogProduct } from "../../../register/catalog.ts";
import { isCountable, isMeasured, type Scanned, unitsOf } from "../../../register/scanned.ts";
import { type Ticket, type TicketLine, withLine, withQuantity } from "../../../register/ticket.ts";
import { useHome, useScan } from "../scan/use-scan.ts";
import { useAuthorization } from "../ui/authorization.tsx";
import { useKey } from "../ui/keys.ts";
import { play } from "../ui/sounds.ts";
import { useStable } from "../ui/use-stable.ts";
import { useCounter, useOpen } from "../use-device.ts";
import { StockContext, useToldStock } from "../use-stock.ts";
import { BuyerPanel } from "./buyer-panel.tsx";
import { ChargePanel } from "./charge-panel.tsx";
import { CreateProductPanel } from "./create-product-panel.tsx";
import { DropPanel, isAskedBeforeDrop, useDrop } from "./drop-panel.tsx";
import { FreeLinePanel } from "./free-line-panel.tsx";
import { manyUnits } from "./limits.ts";
import { LinePanel } from "./line-panel.tsx";
import { MakeQuoteDialog } from "./make-quote.tsx";
import { PricePanel } from "./price-panel.tsx";
import { ProductShelf } from "./product-shelf.tsx";
import { isTakingOff, readEntry } from "./read-entry.ts";
import { afterAdded, type Remark } from "./remark-line.tsx";
import { SoldPanel } from "./sold-panel.tsx";
import { TicketBar } from "./ticket-bar.tsx";
import { TicketPanel } from "./ticket-panel.tsx";
import { TicketSide } from "./ticket-side.tsx";
import { UnpricedPanel } from "./unpriced-panel.tsx";
import { useAsking } from "./use-asking.ts";
import { useEdit } from "./use-edit.ts";
import { useFocusAtHand } from "./use-focus-at-hand.ts";
import { useLastSale } from "./use-last-sale.ts";
import { useTicketTotals } from "./use-ticket-totals.ts";
import { VariantPanel } from "./variant-panel.tsx";
import { WaitingPanel } from "./waiting-panel.tsx";
import { WeightPanel } from "./weight-panel.tsx";

export function SellScreen() {
  return (
    <StockContext value={useToldStock()}>
      <Selling />
    </StockContext>
  );
}

function Selling() {
  const { counter } = useOpen();
  const { current, tickets, shift } = useCounter();
  const { totals } = useTicketTotals();
  const { edit } = useEdit();
  const authorize = useAuthorization();
  const drop = useDrop();
  const { asking, line, setAsking, close, ask } = useAsking(current);
  const [query, setQuery] = useState("");
  const [remark, setRemark] = useState<Remark>();
  const [marked, setMarked] = useState<string>();
  const [isTicketOpen, setTicketOpen] = useState(false);
  const [last, setLast] = useLastSale(shift?.id);
  const input = useRef<HTMLInputElement>(null);
  const isEmpty = current.lines.length === 0;
  const active = current.lines.find(({ id }) => id === marked) ?? current.lines.at(-1);

  /** Puts a product on the ticket; asks first for what is missing. */
  function add(found: Scanned, count = 1): void {
    const { product, variant } = found;
    const variants = (product.variants ?? []).filter(({ active }) => active !== false);
    // A code that nobody knew is still on the counter, unpaid: it goes when somebody says so.
    setRemark((before) => afterAdded(before, product.id));
    if (variants.length > 0 && !variant) setAsking({ kind: "variant", found, count });
    else if (product.sold_by_weight && count === 1 && !isMeasured(found)) setAsking({ kind: "weight", found, count });
    else sell(counter.linesOf(found, count));
  }
  /** What has no price is asked for it: it is not given away because nobody typed one. A bag costs its tax. */
  function sell(lines: readonly TicketLine[]): void {
    const [line] = lines;
    if (line && line.price === 0 && line.tax_class !== "bag") setAsking({ kind: "unpriced", line });
    else put(lines);
  }
  function put(lines: readonly TicketLine[], onDone = () => {}): void {
    let touched = lines[0]!.id;
    function withNew(ticket: Ticket): Ticket {
      const next = lines.reduce(withLine, ticket);
      const before = new Map(ticket.lines.map((one) => [one.id, one.quantity]));
      touched = next.lines.find((one) => before.get(one.id) !== one.quantity)?.id ?? touched;
      return next;
    }
    edit(withNew, () => {
      setMarked(touched);
      play("added");
      onDone();
    });
  }
  /** What a scanner read, or somebody typed with Enter. */
  function take(text: string): boolean {
    if (isTakingOff(text)) {
      setRemark({ kind: "taking_off" });
      play("unknown");
      return false;
    }
    const { code, units: count = 1 } = readEntry(text);
    const found = code === "" ? undefined : counter.find(code);
    const units = found ? unitsOf(found, count) : 0;
    const isMany = !found?.label && units > manyUnits;
    if (!found) setRemark({ kind: "unknown", code });
    else if (isMany || !isCountable(found, count)) setRemark({ kind: isMany ? "many" : "part", units });
    else {
      add(found, count);
      return true;
    }
    play("unknown");
    return false;
  }
  /** "5*" and Enter without a code: that many of the marked line. */
  function enter(text: string): boolean {
    const { code, units } = readEntry(text);
    if (code !== "" || units === undefined || isTakingOff(text)) return take(text);
    if (!active || (!active.sold_by_weight && !Number.isInteger(units))) return false;
    if (units > manyUnits) {
      setRemark({ kind: "many", units });
      return false;
    }
    edit((ticket) => withQuantity(ticket, active.id, units));
    return true;
  }

  useScan({
    isKnown: (code) => counter.find(code) !== undefined,
    take(code) {
      // "5*", or a short number that waits in the box, is how many.
      const waiting = /^(\d{1,3}|\d+([.,]\d+)?\*)$/.test(query.trim()) ? `${query.trim().replace("*", "")}*` : "";
      take(waiting + code);
      setQuery("");
      setTicketOpen(false);
      return undefined;
    },
  });
  useEffect(() => {
    if (!asking && matchMedia("(hover: hover)").matches) input.current?.focus();
  }, [asking]);
  useHome(input, asking === undefined);
  // What could not be added was this customer's.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another ticket is in front
  useEffect(() => setRemark(undefined), [current.id]);
  useFocusAtHand(input, isTicketOpen);
  useKey("search", () => {
    // The next key is for the box, however soon it comes.
    flushSync(() => {
      close();
      setTicketOpen(false);
    });
    input.current?.select();
  });
  useKey("price", ask({ kind: "price" }));
  useKey("free", ask({ kind: "free" }));
  useKey("buyer", isEmpty ? undefined : ask({ kind: "buyer" }));
  useKey("quantity", active && ask({ kind: "line", id: active.id }));
  useKey("discount", isEmpty ? undefined : ask({ kind: "ticket" }));
  const throwAway = () => (isAskedBeforeDrop(current) ? setAsking({ kind: "drop" }) : void drop(close));
  // In a field the key takes a word out of what is typed.
  useKey("drop", isEmpty || asking || query !== "" ? undefined : throwAway);
  const holdOrRecall = isEmpty ? (tickets.length > 0 ? ask({ kind: "waiting" }) : undefined) : hold;
  useKey("hold", holdOrRecall);
  useKey("quote", isEmpty || !totals ? undefined : ask({ kind: "quote" }));
  useKey("charge", isEmpty || !totals || asking?.kind === "charge" ? undefined : ask({ kind: "charge" }));
  function hold(): void {
    counter.beginTicket();
    close();
  }
  async function create(code: string): Promise<void> {
    const permit = await authorize("create_product", [`Con el código ${code}`]);
    if (!permit) return;
    setRemark(undefined);
    setAsking({ kind: "create", code, permit });
  }
  /** A tile; "5*" in the box is how many. */
  function touch(product: CatalogProduct): void {
    const { code, units } = readEntry(query);
    add({ product }, code === "" ? units : 1);
    if (code === "") setQuery("");
  }
  function markBy(step: number): void {
    const at = current.lines.findIndex(({ id }) => id === active?.id);
    setMarked(current.lines[Math.max(0, Math.min(current.lines.length - 1, at + step))]?.id);
  }

  return (
    <div className="sell" data-ticket={isTicketOpen ? "open" : undefined}>
      <div className="shelf-side">
        <ProductShelf
          input={input}
          query={query}
          onQuery={setQuery}
          remark={remark}
          onEnter={useStable(enter)}
          onAdd={useStable(touch)}
          onDismiss={useStable(() => setRemark(undefined))}
          onCreate={useStable((code) => void create(code))}
          onWeigh={useStable((found: Scanned) => add(found))}
          onMark={useStable(markBy)}
          onFree={useStable(ask({ kind: "free" }))}
          onPrice={useStable(ask({ kind: "price" }))}
          isCovered={asking !== undefined && asking.kind !== "quote"}
        />
        {asking?.kind === "weight" && (
          <WeightPanel
            product={asking.found.product}
            onWeight={(weight) => {
              close();
              sell(counter.linesOf(asking.found, weight));
            }}
            onDropped={() => setRemark({ kind: "unweighed", found: asking.found })}
            onClose={close}
          />
        )}
        {asking?.kind === "variant" && (
          <VariantPanel
            product={asking.found.product}
            onChoose={(variant) => {
              close();
              add({ ...asking.found, variant }, asking.count);
            }}
            onClose={close}
          />
        )}
        {asking?.kind === "unpriced" && (
          <UnpricedPanel
            key={asking.line.id}
            line={asking.line}
            onPrice={(price) => {
              close();
              put([{ ...asking.line, price }]);
            }}
            onClose={close}
          />
        )}
        {line && <LinePanel key={line.id} line={line} onClose={close} />}
        {asking?.kind === "create" && (
          <CreateProductPanel
            code={asking.code}
            permit={asking.permit}
            onCreated={(product) => {
              close();
              add({ product });
            }}
            onClose={close}
          />
        )}
        {asking?.kind === "free" && <FreeLinePanel onAdd={(line, onDone) => put([line], onDone)} onClose={close} />}
        {asking?.kind === "price" && <PricePanel onAdd={add} onClose={close} />}
        {asking?.kind === "buyer" && <BuyerPanel key={current.id} onClose={close} />}
        {asking?.kind === "ticket" && <TicketPanel key={current.id} onDrop={throwAway} onClose={close} />}
        {asking?.kind === "drop" && <DropPanel key={current.id} onClose={close} />}
        {asking?.kind === "waiting" && <WaitingPanel onClose={close} />}
        {asking?.kind === "charge" && (
          <ChargePanel
            key={current.id}
            onSold={(sale) => {
              setLast(sale);
              setRemark(undefined);
              setAsking({ kind: "sold", sale });
            }}
            onClose={close}
          />
        )}
        {asking?.kind === "sold" && (
          <SoldPanel
            sale={asking.sale}
            onClose={() => {
              close();
              setTicketOpen(false);
            }}
          />
        )}
      </div>
      <TicketSide
        marked={active?.id}
        last={asking ? undefined : last}
        onLast={(sale) => setAsking({ kind: "sold", sale })}
        onLine={useStable((id) => {
          setMarked(id);
          ask({ kind: "line", id })();
        })}
        onBuyer={ask({ kind: "buyer" })}
        onTicket={ask({ kind: "ticket" })}
        onHold={holdOrRecall}
        onQuote={ask({ kind: "quote" })}
        onCharge={ask({ kind: "charge" })}
        onClose={() => setTicketOpen(false)}
      />
      <TicketBar
        onOpen={() => setTicketOpen(true)}
        onCharge={ask({ kind: "charge" })}
        isCharging={asking?.kind === "charge" || asking?.kind === "sold"}
      />
      {asking?.kind === "quote" && <MakeQuoteDialog onClose={close} />}
    </div>
  );
}
