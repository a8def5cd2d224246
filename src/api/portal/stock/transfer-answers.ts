import type { Transfer } from "../../../business/inventory/transfers.ts";
import type { Paged } from "../tables/paging.ts";
import type { Destination, ListedTransfer, OnTheWay } from "./read-transfers.ts";

interface List<T> {
  object: "list";
  data: T[];
}

/** What the routes of transfers answer. */
export interface TransferAnswers {
  "GET /transfers": Paged<ListedTransfer>;
  /** Also of sedes that whoever asks sees nothing else of. */
  "GET /transfers/destinations": List<Destination>;
  "GET /transfers/on-the-way": List<OnTheWay>;
  "GET /transfers/:id": Transfer;
  "POST /transfers": Transfer;
  "POST /transfers/:id/receive": Transfer;
  "POST /transfers/:id/settle": Transfer;
}
