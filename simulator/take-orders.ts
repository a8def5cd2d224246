import { randomUUID } from "node:crypto";
import { charge } from "../register/charge.ts";
import { type Order, type OrderStep, orderView, settleSteps, stepDraft, ticketOfOrder } from "../register/order.ts";
import { saleData } from "../register/sale.ts";
import { newTicket, totalsOf } from "../register/ticket.ts";
import type { Chance } from "./chance.ts";
import type { Register } from "./register.ts";
import { movement, profile, type Sold } from "./sell.ts";

/** What a cashier does with the orders that come down to her register. */
export interface OrderTaker {
  /** Takes one order a step further; false when there is none to take. */
  act(at: Date): boolean;
}

/** Where an order becomes a sale. */
export interface OrderTill {
  register: Register;
  chance: Chance;
  counter: () => { warehouseId: string | null; cashSessionId: string | null };
  openShift: () => void;
  complete: (sold: Sold) => void;
}

/** By the same functions as the counter: what is done with an order, what it becomes, and whether it came too late. */
export function newOrderTaker({ register, chance, counter, openShift, complete }: OrderTill): OrderTaker {
  let steps: OrderStep[] = [];
  const orderOf = (id: string) => register.catalog.get("order", id) as Order | undefined;
  const ownId = () => register.identity().device_id;

  function settle(): void {
    const byOrder = Map.groupBy(steps, ({ order_id }) => order_id);
    steps = [...byOrder].flatMap(([id, own]) => {
      const order = orderOf(id);
      return order ? settleSteps(order, own, ownId()).left : own;
    });
  }
  function step(order: Order, status: OrderStep["status"], at: Date, more: Partial<OrderStep> = {}): OrderStep {
    const done = { order_id: order.id, number: order.number, status, at: at.toISOString(), ...more };
    steps.push(done);
    return done;
  }
  function handOver(order: Order, at: Date): void {
    openShift();
    const productOf = (id: string) => register.catalog.get("product", id);
    const ticket = ticketOfOrder(order, newTicket(randomUUID(), at), { newId: randomUUID, productOf });
    const totals = totalsOf(ticket, profile, at);
    const paid = charge(totals.total, ticket.parts ?? [], { rounding: 0 });
    if ("problem" in paid) return;
    const { warehouseId, cashSessionId } = counter();
    const movements = ticket.lines
      .filter(({ has_stock }) => has_stock)
      .map(({ product_id, quantity }) => movement(product_id!, warehouseId, "sale", quantity, ticket.id));
    step(order, "completed", at, { sale_id: ticket.id });
    complete({
      id: ticket.id,
      data: { ...saleData(ticket, totals, paid.charge, { at, shiftId: cashSessionId }) },
      movements,
    });
  }
  return {
    act(at) {
      const all = register.catalog.all("order") as Order[];
      if (all.length === 0) return false;
      settle();
      const views = all.map((order) => orderView(order, steps, ownId(), at));
      const open = views.filter(({ status, isOver }) => !isOver && ["placed", "accepted", "ready"].includes(status));
      const [order] = open.sort((a, b) => a.number - b.number);
      if (!order || chance.happens(0.5)) return false;
      if (chance.happens(0.06))
        register.record([stepDraft(step(order, "rejected", at, { reason: "No hay existencias" }))]);
      else if (order.status === "placed")
        register.record([stepDraft(step(order, "accepted", at, { minutes: chance.between(5, 45) }))]);
      else if (order.status === "accepted") register.record([stepDraft(step(order, "ready", at))]);
      else handOver(order, at);
      return true;
    },
  };
}
