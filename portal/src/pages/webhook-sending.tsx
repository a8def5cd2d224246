import { Checkbox, Stack, Text, Textarea } from "@mantine/core";
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

/** How an endpoint is sent to, and of what. */
export function Sending({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const notify = useNotify();
  const { refresh } = useEndpointChanges(endpoint.id);
  const sedes = useSedeChoices();
  const form = useForm("PATCH /webhook-endpoints/:id/sending", {
    draft: `webhook-sending ${endpoint.id}`,
    start: { location_ids: endpoint.location_ids },
    // A value that is typed is a secret: it is not kept in the browser.
    secrets: { headers: endpoint.header_names.map((name) => `${name}: ${hidden}`).join("\n") },
    fieldless: ["location_ids"],
    send: ({ headers, location_ids }) =>
      patch<Answer<"PATCH /webhook-endpoints/:id/sending">>(`/webhook-endpoints/${endpoint.id}/sending`, {
        headers: headersIn(headers),
        location_ids,
      }),
    async onSent() {
      await refresh();
      notify("Webhook actualizado.");
      onClose();
    },
  });
  const { headers, location_ids } = form.values;
  return (
    <Dialog onClose={onClose} title="Cabeceras y filtros" size="lg">
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
export function SendingFacts({ endpoint: { header_names, location_ids } }: { endpoint: Endpoint }) {
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
      {location_ids && (
        <>
          <dt>Solo de</dt>
          <dd>{names.join(", ")}</dd>
        </>
      )}
    </>
  );
}
