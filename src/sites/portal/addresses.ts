/**
 * The first part of every page's address. The service answers each of them, and whatever is below it, with the portal, so
 * that a page is there after a reload too; `portal/src/pages.ts` takes no page anywhere else.
 */
export const pageRoots = [
  "/",
  "/ingreso",
  "/restablecer",
  "/deshacer-correo",
  "/invitacion",
  "/registro",
  "/no-fui-yo",
  "/empezar",
  "/ventas",
  "/productos",
  "/clientes",
  "/inventario",
  "/compras",
  "/proveedores",
  "/turnos",
  "/actos",
  "/pedidos",
  "/cotizaciones",
  "/documentos",
  "/informes",
  "/integracion",
  "/webhooks",
  "/entregas",
  "/eventos",
  "/claves",
  "/solicitudes",
  "/ajustes",
  "/cajas",
  "/cuenta",
] as const;

type PageRoot = (typeof pageRoots)[number];
export type PageAddress = PageRoot | `${PageRoot}/${string}`;
