import { type ComponentType, lazy } from "react";
import type { PageAddress } from "../../src/sites/portal/addresses.ts";
import { FirstPage } from "./pages/first-page.tsx";
import type { MenuEntry } from "./ui/navigation.tsx";

interface Page {
  /** Where it is; `:id` is handed to the page. */
  path: PageAddress;
  component: ComponentType<{ id: string }>;
  /** Its place in the menu, if it has one. */
  menu?: MenuEntry;
}

const developers = "Desarrolladores";
const settings = "Ajustes";

/** Every page of a signed-in owner, in the order of the menu. */
export const pages: readonly Page[] = [
  { path: "/", component: FirstPage, menu: { title: "Hoy", icon: "today", onPhone: true } },
  page("/empezar", () => import("./pages/start.tsx")),
  page("/ventas", () => import("./pages/sales.tsx"), { title: "Ventas", icon: "sale", onPhone: true }),
  page("/ventas/:id", () => import("./pages/sale.tsx")),
  page("/productos", () => import("./pages/products.tsx"), { title: "Productos", icon: "product", onPhone: true }),
  page("/productos/nuevo", () => import("./pages/product-edit.tsx")),
  page("/productos/importar", () => import("./pages/product-import.tsx")),
  page("/productos/:id/editar", () => import("./pages/product-edit.tsx")),
  page("/productos/:id", () => import("./pages/product.tsx")),
  page("/clientes", () => import("./pages/customers.tsx"), { title: "Clientes", icon: "people" }),
  page("/clientes/nuevo", () => import("./pages/customer-new.tsx")),
  page("/clientes/:id", () => import("./pages/customer.tsx")),
  page("/inventario", () => import("./pages/inventory.tsx"), { title: "Inventario", icon: "stock" }),
  page("/inventario/movimientos", () => import("./pages/stock-movements.tsx")),
  page("/inventario/conteo", () => import("./pages/stock-count.tsx")),
  page("/turnos", () => import("./pages/shifts.tsx"), { title: "Turnos", icon: "shift" }),
  page("/turnos/:id", () => import("./pages/shift.tsx")),
  page("/actos", () => import("./pages/counter-acts.tsx"), { title: "Actos de caja", icon: "shield" }),
  page("/cotizaciones", () => import("./pages/quotes.tsx"), { title: "Cotizaciones", icon: "quote" }),
  page("/cotizaciones/:id", () => import("./pages/quote.tsx")),
  page("/documentos", () => import("./pages/documents.tsx"), { title: "Documentos", icon: "receipt" }),
  page("/documentos/:id", () => import("./pages/document.tsx")),
  page("/informes", () => import("./pages/reports.tsx"), { title: "Informes", icon: "chart" }),

  page("/integracion", () => import("./pages/integration.tsx"), {
    title: "Actividad",
    icon: "plug",
    group: developers,
  }),
  page("/webhooks", () => import("./pages/webhooks.tsx"), { title: "Webhooks", icon: "webhook", group: developers }),
  page("/webhooks/nuevo", () => import("./pages/webhook-new.tsx")),
  page("/webhooks/:id", () => import("./pages/webhook.tsx")),
  page("/entregas", () => import("./pages/deliveries.tsx"), { title: "Entregas", icon: "send", group: developers }),
  page("/entregas/:id", () => import("./pages/delivery.tsx")),
  page("/eventos", () => import("./pages/events.tsx"), { title: "Eventos", icon: "list", group: developers }),
  page("/eventos/:id", () => import("./pages/event.tsx")),
  page("/claves", () => import("./pages/keys.tsx"), { title: "Claves API", icon: "key", group: developers }),
  page("/claves/nueva", () => import("./pages/key-new.tsx")),
  page("/claves/:id", () => import("./pages/key.tsx")),
  page("/solicitudes", () => import("./pages/requests.tsx"), {
    title: "Registro de solicitudes",
    icon: "list",
    group: developers,
  }),
  page("/solicitudes/:id", () => import("./pages/request.tsx")),

  page("/ajustes/negocio", () => import("./pages/business.tsx"), { title: "Negocio", icon: "store", group: settings }),
  page("/ajustes/facturacion", () => import("./pages/invoicing.tsx"), {
    title: "Facturación",
    icon: "quote",
    group: settings,
  }),
  page("/cajas", () => import("./pages/devices.tsx"), { title: "Cajas", icon: "register", group: settings }),
  page("/cajas/:id", () => import("./pages/device.tsx")),
  page("/ajustes/mostrador", () => import("./pages/counter.tsx"), {
    title: "Mostrador",
    icon: "people",
    group: settings,
  }),
  page("/ajustes/bodegas", () => import("./pages/warehouses.tsx"), {
    title: "Bodegas",
    icon: "stock",
    group: settings,
  }),
  page("/ajustes/papeles", () => import("./pages/papers.tsx"), { title: "Papeles", icon: "receipt", group: settings }),
  page("/ajustes/alertas", () => import("./pages/alerts.tsx"), { title: "Alertas", icon: "alert", group: settings }),
  page("/ajustes/datos-personales", () => import("./pages/personal-data.tsx"), {
    title: "Datos personales",
    icon: "person",
    group: settings,
  }),
  page("/ajustes/seguridad", () => import("./pages/security.tsx"), {
    title: "Seguridad",
    icon: "shield",
    group: settings,
  }),

  // Addresses that mails and bookmarks still name.
  page("/cuenta", () => import("./pages/account.tsx")),
];

function page(path: PageAddress, load: () => Promise<{ default: ComponentType<never> }>, menu?: MenuEntry): Page {
  const component = lazy(load as () => Promise<{ default: Page["component"] }>);
  return { path, component, ...(menu && { menu }) };
}
