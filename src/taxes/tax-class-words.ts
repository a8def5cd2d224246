import type { TaxClass } from "./tax-classes.ts";

/** What the classes are called where an owner chooses or reads one. */
export const taxClassWords: Record<TaxClass, string> = {
  standard: "General",
  reduced_5: "IVA 5 %",
  excluded: "Excluido",
  exempt: "Exento",
  service_19: "Servicio 19 %",
  event_package: "Paquete de evento",
  bag: "Bolsa plástica",
  passthrough: "Ingreso para terceros",
};
