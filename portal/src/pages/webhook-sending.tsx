import { Checkbox, NumberInput, Stack, Text, Textarea } from "@mantine/core";
import type { Answer, Endpoint } from "../lib/answers.ts";
import { patch } from "../lib/api.ts";
import { useForm } from "../lib/form.ts";
import { useSedeChoices } from "../lib/sedes.ts";
import { Dialog } from "../ui/dialog.tsx";
import { FormFrame } from "../ui/form.tsx";
import { useNotify } from "../ui/notices.tsx";
import { useEndpointChanges } from "./webhook-changes.ts";

/** What stands for a value that is stored and never shown. */
const hidden = "(guardado)";

/** `X-Clave: abc` on each line. */
function headersIn(text: string): { name: string; value: string | null }[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => {
      const [name = "", ...rest] = line.split(":");
      const value = rest.join(":").trim();
      return { name: name.trim(), value: value === hidden || value === "" ? null : value };
    });
}

/** One on each line; none is every one. */
function sourcesIn(text: string): string[] | null {
  const lines = text.split("\n").map((line) => line.trim());
  const names = [...new Set(lines.filter((line) => line !== ""))];
  return names.length > 0 ? names : null;
}

/** How an endpoint is sent to, and of what. */
export function Sending({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const notify = useNotify();
  const { refresh } = useEndpointChanges(endpoint.id);
  const sedes = useSedeChoices();
  const form = useForm("PATCH /webhook-endpoints/:id/sending", {
    draft: `webhook-sending ${endpoint.id}`,
    start: {
      location_ids: endpoint.location_ids,
      sources: (endpoint.sources ?? []).join("\n"),
      per_second: String(endpoint.per_second ?? ""),
    },
    // A value that is typed is a secret: it is not kept in the browser.
    secrets: { headers: endpoint.header_names.map((name) => `${name}: ${hidden}`).join("\n") },
    fieldless: ["location_ids"],
    send: ({ headers, location_ids, sources, per_second }) =>
      patch<Answer<"PATCH /webhook-endpoints/:id/sending">>(`/webhook-endpoints/${endpoint.id}/sending`, {
        headers: headersIn(headers),
        location_ids,
        sources: sourcesIn(sources),
        per_second: per_second === "" ? null : Number(per_second),
      }),
    async onSent() {
      await refresh();
      notify("Webhook actualizado.");
      onClose();
    },
  });
  const { headers, location_ids, sources, per_second } = form.values;
  return (
    <Dialog onClose={onClose} title="Cabeceras, ritmo y filtros" size="lg">
      <FormFrame form={form} noValidate action="Guardar" isReady={location_ids?.length !== 0} onCancel={onClose}>
        <Stack gap="md">
          <Textarea
            label="Cabeceras propias (opcional)"
            description={`Una por línea, como «X-Clave: abc123», hasta diez. Los valores se guardan cifrados y no se vuelven a mostrar: deje «${hidden}» en las que no cambian.`}
            autosize
            minRows={3}
            value={headers}
            onChange={(event) => form.change({ headers: event.currentTarget.value })}
            error={form.messages.headers}
            autoComplete="off"
            spellCheck={false}
          />
          <NumberInput
            label="Entregas por segundo (opcional)"
            description="Lo más que recibe su servidor, con los reintentos. Vacío, tan rápido como responda."
            min={1}
            max={1000}
            allowDecimal={false}
            value={per_second}
            onChange={(value) => form.change({ per_second: String(value) })}
            error={form.messages.per_second}
          />
          <Textarea
            label="Solo pedidos y ventas de estas fuentes (opcional)"
            description="Una por línea, como las envía cada sistema en el pedido; «Caja» es lo vendido sin pedido. Lo que no es pedido ni venta se envía siempre."
            autosize
            minRows={2}
            value={sources}
            onChange={(event) => form.change({ sources: event.currentTarget.value })}
            error={form.messages.sources}
          />
          {sedes.length > 0 && (
            <SedeChoice sedes={sedes} value={location_ids} onChange={(ids) => form.change({ location_ids: ids })} />
          )}
        </Stack>
      </FormFrame>
    </Dialog>
  );
}

function SedeChoice({
  sedes,
  value,
  onChange,
}: {
  sedes: { value: string; label: string }[];
  value: string[] | null;
  onChange: (ids: string[] | null) => void;
}) {
  return (
    <Stack gap="xs">
      <Checkbox
        label="De todas las sedes, también las que vengan"
        checked={value === null}
        onChange={(event) => onChange(event.currentTarget.checked ? null : sedes.map((one) => one.value))}
      />
      {value !== null && (
        <Checkbox.Group
          label="Solo de estas sedes"
          description="Lo que no es de ninguna, como productos y clientes, se envía siempre."
          value={value}
          onChange={onChange}
        >
          <Stack gap="xs" mt="xs">
            {sedes.map((one) => (
              <Checkbox key={one.value} value={one.value} label={one.label} />
            ))}
          </Stack>
          {value.length === 0 && (
            <Text size="sm" c="red" mt="xs">
              Escoja al menos una.
            </Text>
          )}
        </Checkbox.Group>
      )}
    </Stack>
  );
}

/** What of this is set, among the facts of an endpoint. */
export function SendingFacts({
  endpoint: { header_names, location_ids, sources, per_second },
}: {
  endpoint: Endpoint;
}) {
  const sedes = useSedeChoices();
  const names = (location_ids ?? []).map((id) => sedes.find(({ value }) => value === id)?.label ?? id);
  return (
    <>
      {header_names.length > 0 && (
        <>
          <dt>Cabeceras</dt>
          <dd className="mono">{header_names.join(", ")}</dd>
        </>
      )}
      {per_second !== null && (
        <>
          <dt>Ritmo</dt>
          <dd>{per_second === 1 ? "Una entrega por segundo" : `${per_second} entregas por segundo`}</dd>
        </>
      )}
      {sources && (
        <>
          <dt>Solo pedidos y ventas de</dt>
          <dd>{sources.join(", ")}</dd>
        </>
      )}
      {location_ids && (
        <>
          <dt>Solo de</dt>
          <dd>{names.join(", ")}</dd>
        </>
      )}
    </>
  );
}
