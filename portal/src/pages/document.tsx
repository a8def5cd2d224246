import { Button, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { renderSVG } from "uqr";
import { Link } from "wouter";
import { documentStates } from "../../../src/api/portal/lists/words.ts";
import type { Answer, DocumentDetail } from "../lib/answers.ts";
import { get } from "../lib/api.ts";
import { moment, pesos } from "../lib/format.ts";
import { refreshMs, useMay } from "../lib/queries.ts";
import { codeName, customerName, documentName } from "../lib/record-words.ts";
import { documentTitle } from "../lib/words.ts";
import { Detail, DetailPending, Facts } from "../ui/detail.tsx";
import { Figure, Figures } from "../ui/figure.tsx";
import { Icon } from "../ui/icons.tsx";
import { useNotify } from "../ui/notices.tsx";
import { Copy, Heading, Section, StateBadge, Time } from "../ui/parts.tsx";
import { plainText } from "../ui/plain-text.ts";
import { MailDialog } from "./mail-document-dialog.tsx";
import { PaperMenu } from "./sale.tsx";
import { ShareMenu } from "./share-menu.tsx";
import { failedAgain, refreshDocuments, resend } from "./unissued-documents.tsx";

const back = { to: "/documentos", label: "Documentos" };

export default function Document({ id }: { id: string }) {
  const detail = useQuery({
    queryKey: ["document", id],
    queryFn: ({ signal }) => get<Answer<"GET /invoices/:id">>(`/invoices/${id}`, signal),
    refetchInterval: refreshMs,
  });
  if (!detail.data)
    return <DetailPending record={detail} heading="Documento" none="Este documento no existe" back={back} />;
  const { document, rules } = detail.data;
  return (
    <>
      <Heading
        title={`${documentTitle(document.document_type)} ${documentName(document)}`}
        lead={document.document_reason ?? standing(detail.data)}
        back={back}
      >
        <StateBadge {...documentStates[document.status]} />
        <Actions detail={detail.data} />
      </Heading>
      <Figures label="El documento en números">
        <Figure isMain label="Total" value={pesos(document.total)} />
        <Figure label="Antes de impuestos" value={pesos(document.subtotal)} />
        <Figure label="Impuestos" value={pesos(document.tax)} />
      </Figures>
      <Detail aside={<About detail={detail.data} />}>
        {rules.length > 0 && <Rules detail={detail.data} />}
        <Related detail={detail.data} />
        <Code detail={detail.data} />
      </Detail>
    </>
  );
}

/** Where the document stands, in a sentence. */
function standing({ document: { status }, progress }: DocumentDetail): string {
  switch (status) {
    case "issued":
      return "La DIAN lo aceptó.";
    case "pending":
      return progress?.failures
        ? "La DIAN no ha respondido. Se le sigue preguntando; no hay que reenviarlo."
        : "Va en camino a la DIAN; su respuesta llega en segundos.";
    case "annulled":
      return "Una nota lo anuló.";
    case "rejected":
      return "La DIAN lo rechazó. La venta está registrada; falta su documento.";
    case "emission_failed":
      return "No se pudo emitir. La venta está registrada; falta su documento.";
  }
}

function Actions({ detail: { document, buyer, buyer_link, can_resend } }: { detail: DocumentDetail }) {
  const notify = useNotify();
  const [isMailing, setMailing] = useState(false);
  const sending = useMutation({
    mutationFn: () => resend(document.id),
    onSuccess: (answer) =>
      notify(failedAgain(answer) ? `Sigue sin emitirse: ${answer.reason}` : "Va en camino a la DIAN."),
    onError: (error) => notify(plainText(error.message)),
    onSettled: refreshDocuments,
  });
  const mayAct = useMay()("documents:write");
  const canMail = mayAct && document.status === "issued" && document.document_type !== "internal_invoice";
  return (
    <>
      <PaperMenu documentId={document.id} label="PDF" />
      {buyer_link && <ShareMenu link={buyer_link} phone={buyer?.phone} />}
      {canMail && (
        <Button variant="default" leftSection={<Icon name="mail" size={18} />} onClick={() => setMailing(true)}>
          Enviar al comprador
        </Button>
      )}
      {mayAct && can_resend && (
        <Button loading={sending.isPending} onClick={() => sending.mutate()}>
          Reenviar a la DIAN
        </Button>
      )}
      {isMailing && (
        <MailDialog documentId={document.id} email={buyer?.email ?? ""} onClose={() => setMailing(false)} />
      )}
    </>
  );
}

/** Each rule in plain words, with what to do about it. */
function Rules({ detail: { rules, document, can_resend, is_from_register } }: { detail: DocumentDetail }) {
  const isAccepted = document.status === "issued" || document.status === "annulled";
  return (
    <Section title={isAccepted ? "Lo que anotó la DIAN" : "Por qué no se aceptó"}>
      <ul className="quiet-list">
        {rules.map(({ code, said, means, next }) => (
          <li key={`${code} ${said}`} style={{ paddingBottom: "1rem" }}>
            <Text fw={600}>{means}</Text>
            {!isAccepted && <Text>{next}</Text>}
            <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
              {code === null ? said : `Regla ${code}: ${said}`}
            </Text>
          </li>
        ))}
      </ul>
      {!isAccepted && !can_resend && (
        <Text c="dimmed">
          {is_from_register
            ? "Lo emitió una caja: corríjalo y reenvíelo desde ella."
            : "Se podrá reenviar cuando llegue su venta."}
        </Text>
      )}
    </Section>
  );
}

/** The sale, and the way from a note to its original and back. */
function Related({ detail: { sale, corrects, notes } }: { detail: DocumentDetail }) {
  if (!sale && !corrects && notes.length === 0) return null;
  return (
    <Section title="De dónde viene">
      <Facts
        facts={[
          [
            "Venta",
            sale && (
              <Link href={`/ventas/${sale.id}`}>
                {pesos(sale.total)} del {moment(sale.occurred_at)}
              </Link>
            ),
          ],
          ["Corrige", corrects && <DocumentLink document={corrects} />],
          [
            notes.length === 1 ? "Lo corrige" : "Lo corrigen",
            notes.length === 0
              ? null
              : notes.map((note) => (
                  <div key={note.id}>
                    <DocumentLink document={note} />
                  </div>
                )),
          ],
        ]}
      />
    </Section>
  );
}

function DocumentLink({ document }: { document: DocumentDetail["notes"][number] }) {
  return (
    <>
      <Link href={`/documentos/${document.id}`}>
        {documentTitle(document.document_type)} {documentName(document)}
      </Link>{" "}
      por {pesos(document.total)} · {documentStates[document.status].title.toLowerCase()}
    </>
  );
}

/** The authority's code, and the QR that leads to its page. */
function Code({ detail: { document, catalogue_url } }: { detail: DocumentDetail }) {
  if (document.cufe === null || catalogue_url === null) return null;
  const name = codeName(document.document_type);
  return (
    <Section title={`${name} y código QR`} aside={<Copy value={document.cufe} label={`Copiar el ${name}`} />}>
      <div className="with-qr">
        <div
          className="qr"
          role="img"
          aria-label="Código QR que lleva al documento en la DIAN"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: the library draws squares; the address is encoded in them
          dangerouslySetInnerHTML={{ __html: renderSVG(catalogue_url, { border: 2 }) }}
        />
        <div>
          <p className="mono" style={{ marginTop: 0 }}>
            {document.cufe}
          </p>
          <a href={catalogue_url} target="_blank" rel="noreferrer">
            Verlo en el catálogo de la DIAN
          </a>
        </div>
      </div>
    </Section>
  );
}

function About({ detail: { document, buyer, progress, is_from_register } }: { detail: DocumentDetail }) {
  return (
    <Section title="Datos">
      <Facts
        facts={[
          ["Fecha del documento", <Time key="at" at={document.issued_at} />],
          [
            "Comprador",
            buyer ? (
              <Link key="to" href={`/clientes/${buyer.id}`}>
                {customerName(buyer)}
              </Link>
            ) : (
              "Consumidor final"
            ),
          ],
          ["Documento del comprador", buyer?.document_number && `${buyer.document_type} ${buyer.document_number}`],
          ["Correo del comprador", buyer?.email],
          ["Enviado a la DIAN", progress?.sent_at && <Time key="at" at={progress.sent_at} />],
          ["Respondió", progress?.decided_at && <Time key="at" at={progress.decided_at} />],
          ["Código de la DIAN", document.dian_status],
          ["Quién lo emitió", is_from_register ? "Una caja" : null],
        ]}
      />
    </Section>
  );
}
