import { Button, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { documentStates } from "../../../src/api/portal/lists/words.ts";
import type { Answer, UnissuedDocument } from "../lib/answers.ts";
import { post } from "../lib/api.ts";
import { pesos, plural } from "../lib/format.ts";
import { client, useList } from "../lib/queries.ts";
import { documentName } from "../lib/record-words.ts";
import { documentTitle } from "../lib/words.ts";
import { useNotify } from "../ui/notices.tsx";
import { Empty, ErrorMessage, Loading, LoadMore, Section, StateBadge, Time } from "../ui/parts.tsx";
import { plainText } from "../ui/plain-text.ts";

type Resent = Answer<"POST /invoices/:id/resend">;

/** Documents that were rejected or could not be issued, to be resent once the cause is resolved. */
export function Unissued() {
  const list = useList<UnissuedDocument>("/invoices/unissued", {});
  const ready = list.data?.filter(({ can_resend }) => can_resend) ?? [];
  return (
    <>
      <ErrorMessage error={list.error} retry={list.refetch} />
      {list.isPending && <Loading />}
      {list.data && (
        <Section
          title={list.data.length === 0 ? "Nada por hacer" : "Corrija la causa y reenvíe"}
          lead={list.data.length === 0 ? undefined : "La venta está registrada; falta que la DIAN acepte su documento."}
          aside={<ResendAll documents={ready} />}
        >
          {list.data.length === 0 ? (
            <Empty icon="check" title="No hay documentos por atender">
              Los demás están aceptados o en camino. Los datos y los rangos se cambian en{" "}
              <Link href="/ajustes/facturacion">Facturación</Link>.
            </Empty>
          ) : (
            <Table documents={list.data} />
          )}
          <LoadMore list={list} />
        </Section>
      )}
    </>
  );
}

export const refreshDocuments = () =>
  Promise.all([
    client.invalidateQueries({ queryKey: ["list", "/invoices/unissued"] }),
    client.invalidateQueries({ queryKey: ["unissued-hint"] }),
    client.invalidateQueries({ queryKey: ["attention"] }),
    client.invalidateQueries({ queryKey: ["document"] }),
  ]);

export const resend = (id: string) => post<Resent>(`/invoices/${id}/resend`);
export const failedAgain = ({ status }: Resent) => status === "emission_failed";

/** Resends one document after the other and stops when one fails again: the rest would fail too. */
function ResendAll({ documents }: { documents: UnissuedDocument[] }) {
  const notify = useNotify();
  const [progress, setProgress] = useState({ sent: 0, of: 0 });
  const sending = useMutation({
    async mutationFn(all: UnissuedDocument[]) {
      for (const [i, { id }] of all.entries()) {
        setProgress({ sent: i, of: all.length });
        const answer = await resend(id);
        if (failedAgain(answer)) return { sent: i, reason: answer.reason };
      }
      return { sent: all.length, reason: null };
    },
    onSuccess({ sent, reason }) {
      const sentence = `${plural(sent, "documento va", "documentos van")} en camino a la DIAN.`;
      notify(reason === null ? sentence : `${sentence} Se detuvo: ${reason}`);
    },
    onError: (error) => notify(plainText(error.message)),
    onSettled: refreshDocuments,
  });
  // The list gets shorter while the documents are being resent.
  if (sending.isPending) return <Button disabled>{`Reenviando: ${progress.sent} de ${progress.of}`}</Button>;
  if (documents.length < 2) return null;
  return (
    <Button variant="default" onClick={() => sending.mutate(documents)}>
      {`Reenviar los ${documents.length} de la lista`}
    </Button>
  );
}

function Table({ documents }: { documents: UnissuedDocument[] }) {
  return (
    <table className="rows" aria-label="Documentos por atender">
      <thead>
        <tr>
          <th>Documento</th>
          <th>Estado</th>
          <th>Motivo</th>
          <th className="end">Total</th>
          <th>
            <span className="hidden-text">Reenviar</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {documents.map((document) => (
          <tr key={document.id} data-document={document.id}>
            <td data-label="">
              <Link href={`/documentos/${document.id}`}>{documentName(document)}</Link>
              <Text size="sm" c="dimmed" component="div" style={{ whiteSpace: "nowrap" }}>
                {documentTitle(document.document_type)}
              </Text>
              <Text size="sm" c="dimmed" component="div">
                <Time at={document.created_at} />
              </Text>
            </td>
            <td data-label="Estado">
              <StateBadge {...documentStates[document.status]} />
            </td>
            <td data-label="">
              <span>{document.means ?? "No se dijo la causa."}</span>
              <Text size="sm" c="dimmed" component="div" style={{ overflowWrap: "anywhere" }}>
                {document.reason}
              </Text>
            </td>
            <td data-label="Total" className="end" style={{ whiteSpace: "nowrap" }}>
              {pesos(document.total)}
            </td>
            <td data-label="" className="end">
              <ResendOne document={document} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function ResendOne({ document }: { document: UnissuedDocument }) {
  const notify = useNotify();
  const sending = useMutation({
    mutationFn: () => resend(document.id),
    onSuccess: (answer) =>
      notify(
        failedAgain(answer)
          ? `Sigue sin emitirse: ${answer.reason}`
          : "Va en camino a la DIAN. Si lo rechaza otra vez, vuelve a esta lista.",
      ),
    onError: (error) => notify(plainText(error.message)),
    onSettled: refreshDocuments,
  });
  if (!document.can_resend) {
    return (
      <Text size="sm" c="dimmed">
        {document.is_from_register
          ? "Lo emitió una caja: corríjalo y reenvíelo desde ella."
          : "Espera a que llegue su venta."}
      </Text>
    );
  }
  return (
    <Button
      variant="default"
      size="xs"
      loading={sending.isPending}
      aria-label={`Reenviar ${documentName(document)}`}
      onClick={() => sending.mutate()}
    >
      Reenviar
    </Button>
  );
}
