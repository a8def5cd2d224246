import type { AuditEntry } from "../../../access/accounts/read-audit.ts";
import { isBuiltIn, roleWords } from "../../../access/people/rights.ts";
import { auditActions, auditActors, auditedPages } from "./audit-words.ts";
import { listOf } from "./list.ts";

export const auditList = listOf<AuditEntry>()({
  title: "Registro",
  path: "/audit-log",
  file: "/tables/audit-log",
  right: "security",
  hasLines: true,
  filters: {
    q: { name: "quien", label: "Quién", kind: "search", least: 1, placeholder: "Nombre o dirección IP" },
    actor: { name: "desde-donde", label: "Por dónde", kind: "choice", options: auditActors },
    action: { name: "que", label: "Qué", kind: "choice", placeholder: "Todo", options: auditActions },
    created_since: { name: "desde", label: "Desde", kind: "since" },
    created_until: { name: "hasta", label: "Hasta", kind: "until" },
  },
  columns: {
    sequence: { title: "Línea", type: "number", value: ({ sequence }) => sequence, isExtra: true },
    created_at: { title: "Cuándo", type: "moment", value: ({ created_at }) => created_at },
    action: { title: "Qué pasó", type: "text", value: ({ action }) => auditActions[action] },
    who: { title: "Quién", type: "text", value: auditedBy },
    role: { title: "Con qué rol", type: "text", value: ({ role }) => role && roleTitleOf(role), isExtra: true },
    from: { title: "Desde", type: "text", value: ({ remote_address }) => remote_address, none: "–" },
    detail: { title: "Detalle", type: "text", value: ({ details }) => detailOf(details), none: "–" },
    record: { title: "Sobre", type: "text", value: ({ record }) => record && auditedPages[record.object].title },
    record_id: { title: "Identificador", type: "text", value: ({ record }) => record?.id },
    details: { title: "Todo lo registrado", type: "text", value: ({ details }) => JSON.stringify(details) },
    hash: { title: "Huella", type: "text", value: ({ hash }) => hash },
  },
  page: ["action", "detail", "who", "from", "created_at"],
});

/** The person if known, otherwise where it was done. */
export function auditedBy({ actor, person_name }: Pick<AuditEntry, "actor" | "person_name">): string {
  return person_name ?? auditActors[actor];
}

/** A role of the business's own is stored by its name; entries of the version before say only that it was one. */
export function roleTitleOf(role: string): string {
  if (role === "custom") return "Rol propio";
  return isBuiltIn(role) ? roleWords[role].title : role;
}

const shownDetails = ["url", "name", "email", "nit", "prefix", "document", "failures", "overlap_hours", "old_name"];

/** Only what a person recognizes; ids are left out. */
export function detailOf(details: Record<string, unknown>): string | null {
  const found = shownDetails.find((name) => details[name] !== undefined && details[name] !== "");
  const texts = [
    ...(found === undefined ? [] : [String(details[found])]),
    ...(details.plan === undefined
      ? []
      : [`plan ${details.plan}, ${details.active === false ? "inactiva" : "activa"}`]),
    ...changesOf(details),
    ...(Number(details.times) > 1 ? [`${details.times} veces`] : []),
  ];
  return texts.join(" · ") || null;
}

/** What a change replaced, field by field. */
function changesOf({ before, after }: Record<string, unknown>): string[] {
  if (typeof before !== "object" || typeof after !== "object" || !before || !after) return [];
  const [old, now] = [before, after].map((one) => new Map(Object.entries(one)));
  return [...(now ?? [])]
    .filter(([name, value]) => JSON.stringify(old?.get(name) ?? null) !== JSON.stringify(value ?? null))
    .map(([name, value]) => `${name}: ${shown(old?.get(name))} → ${shown(value)}`);
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === "") return "nada";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
