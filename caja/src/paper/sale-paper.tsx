import { useEffect, useState } from "react";
import { flushSync } from "react-dom";
import { buyerLink } from "../../../register/buyer-link.ts";
import { type Block, documentProblems, ticketPaper } from "../../../register/paper.ts";
import type { KeptSale } from "../../../register/sale.ts";
import type { SaleDocument } from "../../../register/sale-document.ts";
import { useCounter, useNews, useOpen } from "../use-device.ts";
import { Paper } from "./paper.tsx";
import { printPaper } from "./printer.ts";

export interface SaleTicket {
  blocks: Block[];
  documents: readonly SaleDocument[];
  /** Where the buyer sees it. */
  link: string | undefined;
  print: () => void;
  /** How often it was printed since it shows. */
  times: number;
}

/** A sale's ticket, on the screen and for the printer: from its second print on it says that it is a copy. */
export function useSaleTicket(sale: KeptSale): SaleTicket {
  const { name, counter } = useOpen();
  const { business } = useCounter();
  const documents = useDocuments(sale);
  const [times, setTimes] = useState(0);
  // Another register's may have been printed there.
  const [wasPrinted, setPrinted] = useState(sale.elsewhere !== undefined);
  useEffect(() => {
    if (!sale.elsewhere) void counter.wasPrinted(sale.id).then(setPrinted, () => {});
  }, [counter, sale.id, sale.elsewhere]);
  const link = useBuyerLink(sale);
  const blocksOf = (isCopy: boolean) => ticketPaper({ sale, business, documents, registerName: name, link, isCopy });
  function print(): void {
    // The browser prints what is on the page.
    flushSync(() => setTimes(times + 1));
    void printPaper(blocksOf(wasPrinted || times > 0));
    void counter.markPrinted(sale.id).catch(() => {});
  }
  return { blocks: blocksOf(wasPrinted || times > 1), documents, link, print, times };
}

/** The ticket with the documents that have come down so far; it fills in by itself when one does. */
export function SalePaper({ ticket: { blocks, documents } }: { ticket: SaleTicket }) {
  return (
    <>
      <Paper blocks={blocks} />
      {documentProblems(documents).map((text) => (
        <p key={text} role="status" className="notice">
          {text}
        </p>
      ))}
    </>
  );
}

/** Where the buyer sees the document, once it is reckoned; a shop without documents has none. */
function useBuyerLink(sale: KeptSale): string | undefined {
  const { business } = useCounter();
  const [link, setLink] = useState<string>();
  const links = business.nit === null ? null : business.document_links;
  const key = links && `${links.url} ${links.account_id} ${links.key}`;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the parts stand for the object, which is another with each news
  useEffect(() => {
    let isCurrent = true;
    void buyerLink({ document_links: links }, sale.id).then(
      (made) => isCurrent && setLink(made),
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, [key, sale.id]);
  return link;
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
