/** The events a business can be told of. webhook.test is not among them: it is never recorded and cannot be subscribed. */
export const eventTypes = [
  "sale.created",
  "sale.updated",
  "sale.completed",
  "sale.cancelled",
  "product.created",
  "product.updated",
  "customer.created",
  "customer.updated",
  "inventory.movement.created",
  "invoice.issued",
  "invoice.rejected",
  "cash_session.closed",
] as const;

export type EventType = (typeof eventTypes)[number];

export const eventRetentionDays = 30;
