/** What applying the records adds to. */
export function nothingYet() {
  return {
    cancellations: [],
    switched: new Map(),
    reduced: new Map(),
    catalogued: new Map(),
    deleted: [],
    told: [],
    paidOtherwise: new Set<string>(),
    events: [],
    newCodes: new Map(),
    acceptedOrders: new Set<string>(),
    registerDocuments: new Set<string>(),
    acts: [],
  };
}
