import type { RouteTable } from "../../api/http/route-table.ts";
import { openApiDocument } from "../../api/public/openapi.ts";
import type { Config } from "../../config.ts";
import { errorsPage, errorsPath } from "./errors-page.ts";
import { guidePage, guidesPage, guidesPath, readGuides } from "./guides.ts";
import { overviewPage, referencePath, tagPage, tagPath } from "./reference-pages.ts";
import { type Place, searchPlaces } from "./search.ts";
import { searchPage } from "./search-page.ts";
import { siteMenu } from "./site-menu.ts";

/** The developer site: every page by its address, and the search over all of them. */
export interface Site {
  page(path: string): string | undefined;
  search(query: string): string;
}

/** Made when the first page is asked for: only then are all routes known. */
export function developerSite(config: Config, table: RouteTable): () => Site {
  let made: Site | undefined;
  return () => {
    made ??= makeSite(config, table);
    return made;
  };
}

function makeSite(config: Config, table: RouteTable): Site {
  // biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is read as data
  const document: any = openApiDocument(table.routes, config);
  const guides = readGuides(config.publicUrl);
  const menu = siteMenu(guides, document.tags);
  const makers = new Map<string, () => string>([
    [guidesPath, () => guidesPage(guides, menu)],
    [errorsPath, () => errorsPage(config.publicUrl, menu)],
    [referencePath, () => overviewPage(document, menu)],
    ...guides.map((guide) => [guide.path, () => guidePage(guide, guides, menu)] as const),
    ...document.tags.map((tag: { name: string }) => [tagPath(tag.name), () => tagPage(document, tag, menu)] as const),
  ]);
  const pages = new Map<string, string>();
  let places: Place[] | undefined;
  return {
    page(path) {
      const page = pages.get(path) ?? makers.get(path)?.();
      if (page !== undefined) pages.set(path, page);
      return page;
    },
    search(query) {
      places ??= searchPlaces(guides, document);
      return searchPage(places, query, menu);
    },
  };
}
