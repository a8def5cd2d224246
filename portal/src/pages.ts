import { type ComponentType, lazy } from "react";
import { Home } from "./pages/home.tsx";
import type { IconName } from "./ui/icons.tsx";

interface Page {
  /** Where it is; `:id` is handed to the page. */
  path: string;
  component: ComponentType<{ id: string }>;
  /** Its place in the menu, if it has one. */
  menu?: { title: string; icon: IconName };
}

/** Every page of a signed-in owner, in the order of the menu. */
export const pages: readonly Page[] = [
  { path: "/", component: Home, menu: { title: "Inicio", icon: "home" } },
  page("/webhooks", () => import("./pages/webhooks.tsx"), { title: "Webhooks", icon: "webhook" }),
  page("/webhooks/nuevo", () => import("./pages/webhook-new.tsx")),
  page("/webhooks/:id", () => import("./pages/webhook.tsx")),
  page("/entregas", () => import("./pages/deliveries.tsx"), { title: "Entregas", icon: "send" }),
  page("/entregas/:id", () => import("./pages/delivery.tsx")),
  page("/eventos", () => import("./pages/events.tsx"), { title: "Eventos", icon: "list" }),
  page("/eventos/:id", () => import("./pages/event.tsx")),
  page("/claves", () => import("./pages/keys.tsx"), { title: "Claves API", icon: "key" }),
  page("/claves/nueva", () => import("./pages/key-new.tsx")),
  page("/claves/:id", () => import("./pages/key.tsx")),
  page("/solicitudes", () => import("./pages/requests.tsx"), { title: "Registro de solicitudes", icon: "list" }),
  page("/solicitudes/:id", () => import("./pages/request.tsx")),
  page("/cajas", () => import("./pages/devices.tsx"), { title: "Cajas", icon: "register" }),
  page("/cajas/:id", () => import("./pages/device.tsx")),
  page("/documentos", () => import("./pages/documents.tsx")),
  page("/cuenta", () => import("./pages/account.tsx"), { title: "Cuenta", icon: "person" }),
];

function page(path: string, load: () => Promise<{ default: ComponentType<never> }>, menu?: Page["menu"]): Page {
  const component = lazy(load as () => Promise<{ default: Page["component"] }>);
  return { path, component, ...(menu && { menu }) };
}
