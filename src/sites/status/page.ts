import { minute } from "../../lib/clock.ts";
import { type Html, html } from "../docs/html.ts";
import { layout } from "../docs/layout.ts";
import { type Incident, type Status, shownDays } from "./incidents.ts";
import { type PartName, type PartState, partNames } from "./parts.ts";

const words: Record<PartName, { name: string; does: string }> = {
  database: { name: "API, cajas y portal", does: "leer, guardar y sincronizar" },
  webhooks: { name: "Webhooks", does: "entregas a sus direcciones" },
  documents: { name: "Documentos electrónicos", does: "envío a la DIAN y sus respuestas" },
  mail: { name: "Correo", does: "códigos, avisos y tirillas" },
};

export function statusPage({ at, parts, incidents }: Status): string {
  const isWell = parts.every((one) => one.isWell);
  const body = html`<h1>Estado del servicio</h1>
<p class="standing ${isWell ? "well" : "ill"}"><strong>${isWell ? "Todo funciona" : "Hay demoras o fallas"}</strong> <span>Visto el ${dayAndHour(at)}, hora de Colombia.</span></p>
<ul class="parts">${partNames.map((part) =>
    partLine(
      part,
      parts.find((one) => one.part === part),
    ),
  )}</ul>
<h2>Últimos ${shownDays} días</h2>
${incidents.length === 0 ? [html`<p>Sin incidentes.</p>`] : [html`<ul class="incidents">${incidents.map(incidentLine)}</ul>`]}
<p>Para programas: <a href="/estado.json">estado.json</a>. Si algo falla y aquí no se ve, mire primero <a href="/docs/errores">los códigos de error</a>.</p>`;
  return layout({ title: "Estado del servicio", body });
}

function partLine(part: PartName, state: PartState | undefined): Html {
  const { name, does } = words[part];
  const [kind, said] = standing(state);
  return html`<li><span><strong>${name}</strong> ${does}</span> <span class="${kind}">${said}</span></li>`;
}

function standing(state: PartState | undefined): [kind: string, said: string] {
  if (!state) return ["unknown", "No se sabe"];
  if (!state.isWell && state.part === "database") return ["ill", "No responde"];
  if (!state.isWell) return ["ill", `Con demora: lo más viejo espera desde hace ${duration(state.waitingMs)}`];
  return ["well", state.waitingMs < minute ? "Al día" : `Al día; espera de ${duration(state.waitingMs)}`];
}

function incidentLine({ part, startedAt, endedAt }: Incident): Html {
  const lasted = endedAt ? `duró ${duration(endedAt.getTime() - startedAt.getTime())}` : "sigue";
  return html`<li><strong>${words[part].name}</strong>: ${dayAndHour(startedAt)}, ${lasted}</li>`;
}

function duration(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / minute));
  if (minutes < 120) return `${minutes} min`;
  return `${Math.round(minutes / 60)} h`;
}

const format = new Intl.DateTimeFormat("es-CO", {
  timeZone: "America/Bogota",
  day: "numeric",
  month: "long",
  hour: "numeric",
  minute: "2-digit",
});

function dayAndHour(at: Date): string {
  return format.format(at);
}
