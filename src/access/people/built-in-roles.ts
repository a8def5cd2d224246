/** The roles that every business has. A business's own are made of the same rights. */
const roleTable = {
  owner: { title: "Dueño", covers: "Todo, también las personas, el plan y la seguridad." },
  administrator: { title: "Administrador", covers: "Todo, menos las personas, el plan y la seguridad." },
  manager: { title: "Encargado", covers: "El día de sus sedes: ventas, devoluciones, existencias, turnos y cajeros." },
  accountant: { title: "Contador", covers: "Lee todo el negocio, descarga archivos y atiende los documentos." },
  developer: {
    title: "Desarrollador",
    covers: "Solo Desarrolladores: claves de API, webhooks, eventos y solicitudes.",
  },
} as const;

export type BuiltInRole = keyof typeof roleTable;
export const builtInRoles = Object.keys(roleTable) as BuiltInRole[];
export const roleWords: Readonly<Record<BuiltInRole, { title: string; covers: string }>> = roleTable;

export function isBuiltIn(role: string): role is BuiltInRole {
  return (builtInRoles as readonly string[]).includes(role);
}

/** As it is stored of a membership: `custom` stands for a role of the business's own. */
export type RoleKind = BuiltInRole | "custom";
