import type { Purchase } from "../../../business/purchases/schema.ts";
import type { Supplier } from "../../../business/suppliers/schema.ts";
import type { ListedPayable } from "../lists/payables.ts";
import type { Paged } from "../tables/paging.ts";
import type { PayableTotals } from "./read-payables.ts";
import type { PurchaseDetail, PurchaseRow, PurchaseTotals } from "./read-purchases.ts";
import type { SoldItem, SupplierTotals } from "./read-suppliers.ts";

/** What the routes of purchases answer. */
export interface BuyingAnswers {
  "GET /suppliers/:id": {
    supplier: Supplier;
    /** For `If-Match`, so that nobody else's change is overwritten. */
    version: string;
    items: SoldItem[];
    totals: SupplierTotals;
  };
  "GET /purchases": Paged<PurchaseRow>;
  "GET /purchases/totals": PurchaseTotals;
  "GET /purchases/:id": PurchaseDetail;
  "GET /payables": Paged<ListedPayable>;
  "GET /payables/totals": PayableTotals;
  "POST /purchases/:id/payments": Purchase;
  "POST /purchases/:id/mail": { email: string };
  /** The draft, how many of its lines are no product yet, and whether its supplier is new. */
  "POST /purchase-invoices": { purchase: Purchase; unmatched: number; new_supplier: boolean };
  "POST /purchases/:id/matches": Purchase;
  "POST /purchases": Purchase;
  "POST /purchases/:id/receipts": Purchase;
}
