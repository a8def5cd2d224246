import { type ComponentType, lazy } from "react";
import type { NeededRight } from "../../src/access/people/needed-right.ts";
import type { PageAddress } from "../../src/sites/portal/addresses.ts";
import type { Session } from "./lib/answers.ts";
import { may } from "./lib/may.ts";
import { FirstPage } from "./pages/first-page.tsx";
import type { MenuEntry } from "./ui/navigation.tsx";

interface Page {
  /** Where it is; `:id` is handed to the page. */
  path: PageAddress;
  component: ComponentType<{ id: string }>;
  /** What a person must be allowed to do to see it. */
  right: NeededRight;
  /** Only for whoever sees all sedes. */
  ofWhole?: true;
  /** Its place in the menu, if it has one. */
  menu?: MenuEntry;
}

const developers = "Desarrolladores";
const settings = "Ajustes";

/** Every page of whoever is signed in, in the order of the menu. */
export const pages: readonly Page[] = [
  { path: "/", component: FirstPage, right: "today:read", menu: { title: "Hoy", icon: "today", onPhone: true } },
  page("/empezar", () => import("./pages/start.tsx"), "today:read"),
  page("/ventas", () => import("./pages/sales.tsx"), "sales:read", { title: "Ventas", icon: "sale", onPhone: true }),
  page("/ventas/:id", () => import("./pages/sale.tsx"), "sales:read"),
  page("/pedidos", () => import("./pages/orders.tsx"), "orders:read", { title: "Pedidos", icon: "order" }),
  page("/pedidos/:id", () => import("./pages/order.tsx"), "orders:read"),
  page("/productos", () => import("./pages/products.tsx"), "products:read", {
    title: "Productos",
    icon: "product",
    onPhone: true,
  }),
  page("/productos/nuevo", () => import("./pages/product-edit.tsx"), "products:write"),
  page("/productos/importar", () => import("./pages/product-import.tsx"), "products:write"),
  page("/productos/:id/editar", () => import("./pages/product-edit.tsx"), "products:write"),
  page("/productos/:id", () => import("./pages/product.tsx"), "products:read"),
  page("/clientes", () => import("./pages/customers.tsx"), "customers:read", { title: "Clientes", icon: "people" }),
  page("/clientes/nuevo", () => import("./pages/customer-new.tsx"), "customers:write"),
  page("/clientes/:id", () => import("./pages/customer.tsx"), "customers:read"),
  page("/inventario", () => import("./pages/inventory.tsx"), "stock:read", { title: "Inventario", icon: "stock" }),
  page("/inventario/movimientos", () => import("./pages/stock-movements.tsx"), "stock:read"),
  page("/inventario/traslados", () => import("./pages/transfers.tsx"), "stock:read"),
  page("/inventario/conteo", () => import("./pages/stock-count.tsx"), "stock:write"),
  page("/compras", () => import("./pages/purchases.tsx"), "purchases:read", { title: "Compras", icon: "truck" }),
  page("/compras/nueva", () => import("./pages/purchase-edit.tsx"), "purchases:write"),
  page("/compras/por-pagar", () => import("./pages/payables.tsx"), "purchases:read", {
    title: "Por pagar",
    icon: "receipt",
  }),
  page("/compras/:id/editar", () => import("./pages/purchase-edit.tsx"), "purchases:write"),
  page("/compras/:id", () => import("./pages/purchase.tsx"), "purchases:read"),
  page("/proveedores", () => import("./pages/suppliers.tsx"), "purchases:read", {
    title: "Proveedores",
    icon: "person",
  }),
  page("/proveedores/nuevo", () => import("./pages/supplier-new.tsx"), "purchases:write"),
  page("/proveedores/:id", () => import("./pages/supplier.tsx"), "purchases:read"),
  page("/turnos", () => import("./pages/shifts.tsx"), "shifts:read", { title: "Turnos", icon: "shift" }),
  page("/turnos/:id", () => import("./pages/shift.tsx"), "shifts:read"),
  page("/actos", () => import("./pages/counter-acts.tsx"), "shifts:read", { title: "Actos de caja", icon: "shield" }),
  page("/cotizaciones", () => import("./pages/quotes.tsx"), "sales:read", { title: "Cotizaciones", icon: "quote" }),
  page("/cotizaciones/:id", () => import("./pages/quote.tsx"), "sales:read"),
  page("/documentos", () => import("./pages/documents.tsx"), "documents:read", {
    title: "Documentos",
    icon: "receipt",
  }),
  page("/documentos/:id", () => import("./pages/document.tsx"), "documents:read"),
  page("/informes", () => import("./pages/reports.tsx"), "reports:read", { title: "Informes", icon: "chart" }),

  page("/integracion", () => import("./pages/integration.tsx"), "developers:read", {
    title: "Actividad",
    icon: "plug",
    group: developers,
  }),
  page("/webhooks", () => import("./pages/webhooks.tsx"), "developers:read", {
    title: "Webhooks",
    icon: "webhook",
    group: developers,
  }),
  page("/webhooks/nuevo", () => import("./pages/webhook-new.tsx"), "developers:write"),
  page("/webhooks/:id", () => import("./pages/webhook.tsx"), "developers:read"),
  page("/entregas", () => import("./pages/deliveries.tsx"), "developers:read", {
    title: "Entregas",
    icon: "send",
    group: developers,
  }),
  page("/entregas/:id", () => import("./pages/delivery.tsx"), "developers:read"),
  page("/eventos", () => import("./pages/events.tsx"), "developers:read", {
    title: "Eventos",
    icon: "list",
    group: developers,
  }),
  page("/eventos/:id", () => import("./pages/event.tsx"), "developers:read"),
  page("/claves", () => import("./pages/keys.tsx"), "developers:read", {
    title: "Claves API",
    icon: "key",
    group: developers,
  }),
  page("/claves/nueva", () => import("./pages/key-new.tsx"), "developers:write"),
  page("/claves/:id", () => import("./pages/key.tsx"), "developers:read"),
  page("/solicitudes", () => import("./pages/requests.tsx"), "developers:read", {
    title: "Registro de solicitudes",
    icon: "list",
    group: developers,
  }),
  page("/solicitudes/:id", () => import("./pages/request.tsx"), "developers:read"),

  page("/ajustes/negocio", () => import("./pages/business.tsx"), "settings:read", {
    title: "Negocio",
    icon: "store",
    group: settings,
  }),
  page("/ajustes/facturacion", () => import("./pages/invoicing.tsx"), "settings:read", {
    title: "Facturación",
    icon: "quote",
    group: settings,
  }),
  page("/cajas", () => import("./pages/devices.tsx"), "registers:read", {
    title: "Cajas",
    icon: "register",
    group: settings,
  }),
  page("/cajas/:id", () => import("./pages/device.tsx"), "registers:read"),
  page(
    "/ajustes/mostrador",
    () => import("./pages/counter.tsx"),
    { any: ["settings:read", "cashiers"] },
    {
      title: "Mostrador",
      icon: "people",
      group: settings,
    },
  ),
  page("/ajustes/bodegas", () => import("./pages/warehouses.tsx"), "settings:read", {
    title: "Bodegas",
    icon: "stock",
    group: settings,
  }),
  // Not in the menu of a business that sells in one place, which finds it in Negocio.
  page("/ajustes/sedes", () => import("./pages/locations.tsx"), "settings:write", {
    title: "Sedes",
    icon: "home",
    group: settings,
  }),
  page("/ajustes/papeles", () => import("./pages/papers.tsx"), "settings:read", {
    title: "Papeles",
    icon: "receipt",
    group: settings,
  }),
  page("/ajustes/alertas", () => import("./pages/alerts.tsx"), "anyone", {
    title: "Alertas",
    icon: "alert",
    group: settings,
  }),
  {
    ...page("/ajustes/datos-personales", () => import("./pages/personal-data.tsx"), "customers:read", {
      title: "Datos personales",
      icon: "person",
      group: settings,
    }),
    ofWhole: true,
  },
  page("/ajustes/personas", () => import("./pages/people.tsx"), "people", {
    title: "Personas",
    icon: "people",
    group: settings,
  }),
  page("/ajustes/seguridad", () => import("./pages/security.tsx"), "anyone", {
    title: "Seguridad",
    icon: "shield",
    group: settings,
  }),
  page("/ajustes/registro", () => import("./pages/audit.tsx"), "security", {
    title: "Registro",
    icon: "list",
    group: settings,
  }),

  page("/ajustes/seguridad/segundo-paso", () => import("./pages/enrol-second-step.tsx"), "anyone"),

  // Addresses that mails and bookmarks still name.
  page("/cuenta", () => import("./pages/account.tsx"), "settings:read"),
];

/** Whether whoever is signed in sees a page. */
export function sees(session: Session, { right, ofWhole }: Pick<Page, "right" | "ofWhole">): boolean {
  return may(session, right) && !(ofWhole && session.location_ids !== null);
}

function page(
  path: PageAddress,
  load: () => Promise<{ default: ComponentType<never> }>,
  right: NeededRight,
  menu?: MenuEntry,
): Page {
  const component = lazy(load as () => Promise<{ default: Page["component"] }>);
  return { path, component, right, ...(menu && { menu }) };
}
