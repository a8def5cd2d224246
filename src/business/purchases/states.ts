interface State {
  /** Its lines, charges, supplier and warehouse may still change, while nothing of it is here. */
  isOpen: boolean;
  /** Goods may still come. */
  receives: boolean;
  spanish: string;
}

/** Where a purchase may be. What was received decides between the three in the middle; people decide the others. */
const table = {
  draft: { isOpen: true, receives: true, spanish: "Borrador" },
  ordered: { isOpen: true, receives: true, spanish: "Pedida" },
  partly_received: { isOpen: false, receives: true, spanish: "Recibida en parte" },
  received: { isOpen: false, receives: true, spanish: "Recibida" },
  closed: { isOpen: false, receives: false, spanish: "Cerrada" },
  cancelled: { isOpen: false, receives: false, spanish: "Cancelada" },
} as const satisfies Record<string, State>;

export type PurchaseStatus = keyof typeof table;
export const purchaseStates: Readonly<Record<PurchaseStatus, State>> = table;
export const purchaseStatuses = Object.keys(table) as PurchaseStatus[];

/** What somebody may decide, and from where. */
const decisions = {
  ordered: ["draft"],
  closed: ["ordered", "partly_received", "received"],
  cancelled: ["draft", "ordered"],
} as const satisfies Partial<Record<PurchaseStatus, readonly PurchaseStatus[]>>;

export type Decision = keyof typeof decisions;
export const purchaseDecisions = Object.keys(decisions) as Decision[];

export function mayDecide(from: PurchaseStatus, to: Decision): boolean {
  return (decisions[to] as readonly PurchaseStatus[]).includes(from);
}

/** What happens to goods: they come, they go back to whoever sold them, or they had been written down wrongly. */
export const receiptKinds = ["receipt", "return", "correction"] as const;
export type ReceiptKind = (typeof receiptKinds)[number];

/** How what comes on top of a purchase is divided among its lines. */
export const spreads = ["value", "quantity", "weight"] as const;
export type Spread = (typeof spreads)[number];
