import type { IconName } from "../ui/icons.tsx";
import type { Answer } from "./answers.ts";
import { date, pesos } from "./format.ts";
import { documentTitle } from "./words.ts";

/** Something that was found, and where it opens. */
export interface Hit {
  group: string;
  icon: IconName;
  title: string;
  detail: string;
  path: string;
}

export interface SearchedPage {
  path: string;
  title: string;
  icon: IconName;
}

type Found = Answer<"GET /search">["data"][number];

export function hitOf(found: Found): Hit {
  switch (found.kind) {
    case "product": {
      const detail = [found.sku, pesos(found.final_price), !found.active && "inactivo"].filter(Boolean).join(" · ");
      return { group: "Productos", icon: "product", title: found.name, detail, path: `/productos/${found.id}` };
    }
    case "customer": {
      const title = [found.name, found.last_name].filter(Boolean).join(" ");
      const detail = found.document_number ?? found.email ?? found.phone ?? "";
      return { group: "Clientes", icon: "people", title, detail, path: `/clientes/${found.id}` };
    }
    case "sale": {
      const title = `Venta del ${date(found.occurred_at)}`;
      return { group: "Ventas", icon: "sale", title, detail: pesos(found.total), path: `/ventas/${found.id}` };
    }
    case "document": {
      const title = `${documentTitle(found.document_type)} ${numberOf(found)}`;
      return {
        group: "Documentos",
        icon: "receipt",
        title,
        detail: pesos(found.total),
        path: `/documentos/${found.id}`,
      };
    }
    case "quote": {
      const title = `Cotización ${numberOf(found)}`;
      const detail = [found.customer_name, pesos(found.total)].filter(Boolean).join(" · ");
      return { group: "Cotizaciones", icon: "quote", title, detail, path: `/cotizaciones/${found.id}` };
    }
  }
}

const numberOf = ({ prefix, number }: { prefix: string | null; number: number | null }) =>
  `${prefix ?? ""} ${number ?? ""}`.trim();

/** All pages before anything is typed, then those whose title contains it. */
export function pageHits(pages: readonly SearchedPage[], text: string): Hit[] {
  const wanted = folded(text.trim());
  return pages
    .filter(({ title }) => folded(title).includes(wanted))
    .map(({ path, title, icon }) => ({ group: "Páginas", icon, title, detail: "", path }));
}

/** Without accents or capitals, as the service compares. */
function folded(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase();
}
