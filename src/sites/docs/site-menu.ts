import { shownTag } from "../../api/public/openapi.ts";
import { downloadsPath } from "./downloads-path.ts";
import { errorsPath } from "./errors-page.ts";
import { type Guide, guideGroups, guidesOf, guidesPath } from "./guides.ts";
import type { MenuGroup } from "./layout.ts";
import { documentPath } from "./reference.ts";
import { referencePath, tagPath } from "./reference-pages.ts";

/** The sidebar of every page. */
export function siteMenu(guides: readonly Guide[], tags: readonly { name: string }[]): MenuGroup[] {
  return [
    { title: "Guías", links: [{ path: guidesPath, title: "Todas las guías" }] },
    ...guideGroups.map((group) => ({
      title: group.title,
      links: guidesOf(guides, group).map(({ path, title }) => ({ path, title })),
    })),
    {
      title: "Referencia",
      links: [
        { path: referencePath, title: "Lo común a todas" },
        ...tags.map(({ name }) => ({ path: tagPath(name), title: shownTag(name) })),
        { path: errorsPath, title: "Códigos de error" },
      ],
    },
    {
      title: "Para descargar",
      links: [
        { path: documentPath, title: "openapi.json" },
        { path: "/docs/schemas", title: "JSON Schema de los eventos" },
        { path: "/docs/postman.json", title: "Colección de Postman" },
        { path: downloadsPath, title: "Clientes para su lenguaje" },
        { path: "/llms.txt", title: "llms.txt" },
        { path: "/llms-full.txt", title: "llms-full.txt" },
        { path: "/docs/novedades.atom", title: "Novedades (Atom)" },
      ],
    },
    { title: "Servicio", links: [{ path: "/estado", title: "Estado del servicio" }] },
  ];
}
