import { Button, FileButton } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useLocation } from "wouter";
import type { Answer } from "../lib/answers.ts";
import { ApiError, call } from "../lib/api.ts";
import { refreshPurchases, refreshSuppliers } from "../lib/buying-queries.ts";
import { plural } from "../lib/format.ts";
import { Icon } from "../ui/icons.tsx";
import { useNotify } from "../ui/notices.tsx";
import { ErrorMessage } from "../ui/parts.tsx";

type Read = Answer<"POST /purchase-invoices">;

/** One file after the other: what is wrong with one keeps no other from being read. */
async function readAll(files: readonly File[]): Promise<Read[]> {
  const read: Read[] = [];
  const problems: string[] = [];
  for (const file of files) {
    try {
      read.push(await call<Read>("POST", "/purchase-invoices", file));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500 || files.length === 1) throw error;
      problems.push(`${file.name}: ${error.message}`);
    }
  }
  if (problems.length > 0) throw new ApiError(400, { code: "VALIDATION_ERROR", message: problems.join(" · ") }, null);
  return read;
}

/** The supplier's XML, or the zip that came by mail, becomes a draft. */
export function useInvoices() {
  const notify = useNotify();
  const [, navigate] = useLocation();
  return useMutation({
    mutationFn: readAll,
    async onSuccess(read) {
      const [only, ...others] = read;
      if (only && others.length === 0) {
        const { purchase, unmatched } = only;
        notify(
          unmatched === 0
            ? `Factura ${purchase.invoice_number} leída. Revísela y recíbala.`
            : `Factura ${purchase.invoice_number} leída: falta decir qué ${unmatched === 1 ? "es una línea" : `son ${unmatched} líneas`}.`,
        );
        navigate(`/compras/${purchase.id}`);
      } else notify(`${plural(read.length, "factura leída", "facturas leídas")}. Quedaron en borrador.`);
    },
    onSettled: () => Promise.all([refreshPurchases(), refreshSuppliers()]),
  });
}

export function UploadInvoice({ reading }: { reading: ReturnType<typeof useInvoices> }) {
  return (
    <FileButton
      multiple
      accept=".xml,.zip,application/xml,text/xml,application/zip"
      onChange={(files) => files.length > 0 && reading.mutate(files)}
    >
      {(props) => (
        <Button
          {...props}
          variant="default"
          loading={reading.isPending}
          leftSection={<Icon name="receipt" size={18} />}
        >
          Subir factura
        </Button>
      )}
    </FileButton>
  );
}

export const InvoiceProblem = ({ reading }: { reading: ReturnType<typeof useInvoices> }) => (
  <ErrorMessage error={reading.error} />
);
