import { useEffect, useState } from "react";
import { type Block, documentProblems, ticketPaper } from "../../../register/paper.ts";
import type { KeptSale } from "../../../register/sale.ts";
import type { SaleDocument } from "../../../register/sale-document.ts";
import { useCounter, useNews, useOpen } from "../use-device.ts";
import { Paper } from "./paper.tsx";

/** A sale's ticket with the documents that have come down so far; it fills in by itself when one does. */
export function SalePaper({ sale }: { sale: KeptSale }) {
  const { name } = useOpen();
  const { business } = useCounter();
  const documents = useDocuments(sale);
  return (
    <>
      <Paper blocks={ticketPaper({ sale, business, documents, registerName: name })} />
      {documentProblems(documents).map((text) => (
        <p key={text} role="status" className="notice">
          {text}
        </p>
      ))}
    </>
  );
}

export function useSaleBlocks(sale: KeptSale): Block[] {
  const { name } = useOpen();
  const { business } = useCounter();
  return ticketPaper({ sale, business, documents: useDocuments(sale), registerName: name });
}

function useDocuments(sale: KeptSale): SaleDocument[] {
  const { counter } = useOpen();
  const news = useNews();
  const [documents, setDocuments] = useState<SaleDocument[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a document may have come down with the news
  useEffect(() => {
    let isCurrent = true;
    void counter.documentsOf(sale.id).then((found) => isCurrent && setDocuments(found));
    return () => {
      isCurrent = false;
    };
  }, [counter, sale.id, news]);
  return documents;
}
