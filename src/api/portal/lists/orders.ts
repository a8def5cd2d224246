import type { Order } from "../../../business/orders/schema.ts";
import { listOf } from "./list.ts";
import { sedeFilter } from "./sedes.ts";
import { fulfilmentTitles, orderWords } from "./words.ts";

/** An order in a list; the file of the list has nothing else. */
export type ListedOrder = Omit<Order, "object" | "items" | "created_at"> & { created_at: Date };

export const orderList = listOf<ListedOrder>()({
  title: "Pedidos",
  path: "/orders",
  file: "/tables/orders",
  right: "orders:read",
  isPlaced: true,
  filters: {
    ...sedeFilter,
    q: { name: "q", label: "Buscar", kind: "search", least: 2, placeholder: "Número o quién lo pide" },
    status: { name: "estado", label: "Estado", kind: "choice", placeholder: "Todos", options: orderWords },
    source: { name: "fuente", label: "Fuente", kind: "text", most: 60, placeholder: "Tienda web" },
    customer_id: { name: "cliente", label: "Cliente", kind: "customer" },
    created_since: { name: "desde", label: "Desde", kind: "since" },
    created_until: { name: "hasta", label: "Hasta", kind: "until" },
  },
  columns: {
    created_at: { title: "Llegó", type: "moment", value: ({ created_at }) => created_at },
    number: { title: "Pedido", type: "text", value: ({ number }) => `${number}` },
    status: { title: "Estado", type: "state", value: ({ status }) => orderWords[status] },
    source: { title: "Fuente", type: "text", value: ({ source }) => source },
    external_id: { title: "Su número", type: "text", value: ({ external_id }) => external_id, none: "Sin número" },
    contact: { title: "Quién lo pide", type: "text", value: ({ contact }) => contact?.name, none: "Sin nombre" },
    phone: { title: "Teléfono", type: "text", value: ({ contact }) => contact?.phone },
    fulfilment: { title: "Entrega", type: "text", value: ({ fulfilment: { type } }) => fulfilmentTitles[type] },
    due_at: { title: "Para", type: "moment", value: ({ due_at }) => due_at, none: "Cuanto antes" },
    accepted_at: { title: "Aceptado", type: "moment", value: ({ accepted_at }) => accepted_at },
    ready_at: { title: "Listo", type: "moment", value: ({ ready_at }) => ready_at },
    completed_at: { title: "Entregado", type: "moment", value: ({ completed_at }) => completed_at },
    payment: {
      title: "Pago",
      type: "text",
      value: ({ payment }) => (payment?.status === "paid" ? "Pagado" : "Al recibir"),
    },
    total: { title: "Total", type: "pesos", value: ({ total }) => total },
    notes: { title: "Notas", type: "text", value: ({ notes }) => notes },
  },
  page: ["number", "contact", "source", "created_at", "due_at", "fulfilment", "payment", "status", "total"],
});
