import { Alert, Button, Progress, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import type { Answer, NumberingRange } from "../lib/answers.ts";
import { get } from "../lib/api.ts";
import { date, fromLocal, number } from "../lib/format.ts";
import { rangeKinds, rangeStates } from "../lib/words.ts";
import { Icon } from "../ui/icons.tsx";
import { Empty, ErrorMessage, Loading, Section, StateBadge } from "../ui/parts.tsx";
import { useFiscalProfile } from "./fiscal-profile.tsx";
import { RangeForm } from "./range-form.tsx";

export function NumberingRanges() {
  const profile = useFiscalProfile().data;
  const ranges = useQuery({
    queryKey: ["numbering-ranges"],
    queryFn: ({ signal }) => get<Answer<"GET /numbering-ranges">>("/numbering-ranges", signal),
    select: (list) => list.data,
    refetchInterval: 10_000,
  });
  const [form, setForm] = useState<NumberingRange | "new">();
  if (profile === undefined) return null;
  if (profile === null)
    return (
      <Section id="rangos" title="Rangos de numeración">
        <Text c="dimmed">
          Primero va el perfil fiscal: <Link href="/ajustes/facturacion#perfil-fiscal">regístrelo aquí arriba</Link> con
          su NIT y su régimen. Después se registra el rango que la DIAN le autorizó.
        </Text>
      </Section>
    );
  const isElectronic = profile.documents === "electronic";
  return (
    <Section
      id="rangos"
      title="Rangos de numeración"
      lead="Los números que la DIAN le autorizó. Se usan en orden: cuando uno termina, sigue el siguiente."
      aside={
        !!ranges.data?.length && (
          <Button
            variant="default"
            size="xs"
            leftSection={<Icon name="plus" size={14} />}
            onClick={() => setForm("new")}
          >
            Registrar un rango
          </Button>
        )
      }
    >
      <ErrorMessage error={ranges.error} retry={ranges.refetch} />
      {ranges.isPending && <Loading />}
      {ranges.data?.length === 0 && (
        <Empty icon="list" title="Todavía no hay rangos">
          <p>
            {isElectronic
              ? "Registre el rango de la resolución de la DIAN. Mientras no haya uno, las ventas quedan sin documento y se pueden reenviar después."
              : "Los documentos internos se numeran solos desde 1; no necesitan autorización."}
          </p>
          <Button variant={isElectronic ? "filled" : "default"} onClick={() => setForm("new")}>
            Registrar un rango
          </Button>
        </Empty>
      )}
      {!!ranges.data?.length && (
        <>
          {isElectronic && <Ended ranges={ranges.data} />}
          <Table ranges={ranges.data} onCorrect={setForm} />
        </>
      )}
      {form && <RangeForm range={form === "new" ? undefined : form} onClose={() => setForm(undefined)} />}
    </Section>
  );
}

/** What to do when every range of a kind is exhausted or expired. */
function Ended({ ranges }: { ranges: NumberingRange[] }) {
  return (["pos", "invoice"] as const).map((kind) => {
    const own = ranges.filter((range) => range.kind === kind);
    const last = own.at(-1);
    if (!last || own.some(({ state }) => state === "in_use")) return null;
    return (
      <Alert
        key={kind}
        color="red"
        variant="light"
        mb="md"
        icon={<Icon name="alert" />}
        title={`No quedan números para ${rangeKinds[kind].plural}`}
      >
        {nameOf(last)} {whyEnded(last)}. Las ventas se siguen registrando, pero sin documento. Pida a la DIAN la
        autorización de un rango nuevo, regístrelo aquí y reenvíe los documentos por atender.
      </Alert>
    );
  });
}

function whyEnded({ state, valid_from, valid_until }: NumberingRange): string {
  if (state === "expired") return `venció el ${day(valid_until!)}`;
  return state === "future" ? `vale desde el ${day(valid_from!)}` : "se agotó";
}

function Table({ ranges, onCorrect }: { ranges: NumberingRange[]; onCorrect: (range: NumberingRange) => void }) {
  return (
    <table className="rows" aria-label="Rangos de numeración">
      <thead>
        <tr>
          <th>Rango</th>
          <th>Estado</th>
          <th className="end">Próximo</th>
          <th>Quedan</th>
          <th>Vigencia</th>
          <th>
            <span className="hidden-text">Corregir</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {ranges.map((range) => (
          <tr key={range.id}>
            <td data-label="">
              <strong>{nameOf(range)}</strong>
              <Text size="sm" c="dimmed" component="div">
                {rangeKinds[range.kind].title}
                {range.resolution && ` · resolución ${range.resolution}`}
                {range.place_name && ` · solo ${range.place_name}`}
              </Text>
              {range.skipped.map(({ from, to, reason, at }) => (
                <Text key={from} size="sm" c="dimmed" component="div">
                  {from === to ? `Saltado ${from}` : `Saltados ${from}–${to}`}: {reason} ({date(at)})
                </Text>
              ))}
            </td>
            <td data-label="Estado">
              <StateBadge {...rangeStates[range.state]} />
            </td>
            <td data-label="Próximo" className="end">
              {range.remaining === 0 ? "–" : number(range.next)}
            </td>
            <td data-label="Quedan">
              <Left range={range} />
            </td>
            <td data-label="Vigencia">
              {range.valid_from && range.state === "future" && <div>Desde el {day(range.valid_from)}</div>}
              {range.valid_until ? `Hasta el ${day(range.valid_until)}` : "Sin vencimiento"}
            </td>
            <td data-label="" className="end">
              {range.kind !== "internal" && (
                <Button
                  variant="default"
                  size="xs"
                  aria-label={`Corregir ${nameOf(range)}`}
                  onClick={() => onCorrect(range)}
                >
                  Corregir
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Left({ range }: { range: NumberingRange }) {
  const size = range.to - range.from + 1;
  const share = (range.remaining / size) * 100;
  return (
    <span style={{ display: "inline-block", width: "8rem" }}>
      {range.remaining === 0 ? "Ninguno" : number(range.remaining)}
      <Progress
        mt={4}
        size="sm"
        value={share}
        color={share <= 10 ? "red" : "verde"}
        aria-label={`Quedan ${number(range.remaining)} de ${number(size)}`}
      />
    </span>
  );
}

function nameOf({ prefix, from, to }: NumberingRange): string {
  return `${prefix} ${from}–${to}`.trim();
}

const day = (text: string) => date(fromLocal(text));
