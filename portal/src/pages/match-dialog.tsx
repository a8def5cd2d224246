import { Alert, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import { post } from "../lib/api.ts";
import { type Purchase, type PurchaseLine, refreshPurchases } from "../lib/buying-queries.ts";
import { useForm } from "../lib/form.ts";
import { number, plural } from "../lib/format.ts";
import type { ListedProduct } from "../lib/stock-queries.ts";
import { Allowed } from "../ui/allowed.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { FormFrame } from "../ui/form.tsx";
import { Icon } from "../ui/icons.tsx";
import { useNotify } from "../ui/notices.tsx";
import { NumberField } from "../ui/number-field.tsx";
import { ProductFinder } from "./product-finder.tsx";

/** What of an invoice is no product here is asked once: the next invoice of the supplier knows it. */
export function Unmatched({ purchase }: { purchase: Purchase }) {
  const [isOpen, setOpen] = useState(false);
  const lines = purchase.lines.filter(({ product_id }) => product_id === null);
  if (lines.length === 0 || purchase.status === "cancelled") return null;
  return (
    <Alert color="yellow" variant="light" mb="md" icon={<Icon name="alert" />}>
      <Group justify="space-between" gap="sm">
        <span>
          De {plural(lines.length, "línea", "líneas")} de la factura falta decir qué producto{" "}
          {lines.length === 1 ? "es" : "son"}. Se pregunta una sola vez.
        </span>
        <Allowed to="purchases:write">
          <Button size="compact-md" onClick={() => setOpen(true)}>
            Decir qué son…
          </Button>
        </Allowed>
      </Group>
      {isOpen && <MatchDialog purchase={purchase} lines={lines} onClose={() => setOpen(false)} />}
    </Alert>
  );
}

interface Match {
  product_id: string;
  name: string;
  base_unit: string;
  unit: string;
  factor: number | string;
}

function MatchDialog({
  purchase,
  lines,
  onClose,
}: {
  purchase: Purchase;
  lines: readonly PurchaseLine[];
  onClose: () => void;
}) {
  const notify = useNotify();
  const form = useForm("POST /purchases/:id/matches", {
    draft: `match ${purchase.id}`,
    start: { matches: {} as Record<string, Match> },
    fieldless: ["matches"],
    send({ matches }) {
      const said = Object.entries(matches).map(([line_id, { product_id, unit, factor }]) => ({
        ...{ line_id, product_id, unit: unit.trim() || null, factor: Number(factor) },
      }));
      return post<Purchase>(`/purchases/${purchase.id}/matches`, { lines: said });
    },
    async onSent() {
      await refreshPurchases();
      notify("Guardado: la próxima factura ya lo sabe.");
      onClose();
    },
  });
  const { matches } = form.values;
  const put = (id: string, match: Match) => form.change({ matches: { ...matches, [id]: match } });
  const isReady = Object.keys(matches).length > 0 && Object.values(matches).every(({ factor }) => Number(factor) > 0);
  return (
    <Dialog onClose={onClose} title="¿Qué productos son?" size="lg">
      <FormFrame form={form} action="Guardar" isReady={isReady} onCancel={onClose}>
        <Stack gap="lg">
          {lines.map((line) => (
            <Asked key={line.id} line={line} match={matches[line.id]} put={(match) => put(line.id, match)} />
          ))}
          <Text size="sm" c="dimmed">
            ¿No está? <Link href="/productos/nuevo">Créelo</Link> y vuelva: lo escrito aquí se guarda.
          </Text>
        </Stack>
      </FormFrame>
    </Dialog>
  );
}

function Asked({ line, match, put }: { line: PurchaseLine; match: Match | undefined; put: (match: Match) => void }) {
  const { description, supplier_code, quantity, unit, factor } = line;
  const choose = ({ id, name, base_unit }: ListedProduct) =>
    put({ product_id: id, name, base_unit, unit: match?.unit ?? unit, factor: match?.factor ?? factor });
  return (
    <div>
      <Text fw={600}>{description}</Text>
      <Text size="sm" c="dimmed">
        {[supplier_code, `${number(quantity)} ${unit}`].filter(Boolean).join(" · ")}
      </Text>
      <ProductFinder label={match ? `Es ${match.name}; para cambiarlo, busque otro` : "Es"} onFound={choose} />
      {match && (
        <Group gap="sm" mt="xs" grow>
          <TextInput
            label="Viene en"
            value={match.unit}
            onChange={(event) => put({ ...match, unit: event.currentTarget.value })}
          />
          <NumberField
            label={`Cuántas ${match.base_unit} trae cada una`}
            value={match.factor}
            max={100_000}
            decimals={3}
            onChange={(value) => put({ ...match, factor: value })}
          />
        </Group>
      )}
    </div>
  );
}
