import type { RouteTable } from "../api/http/route-table.ts";
import { openApiDocument } from "../api/public/openapi.ts";
import type { Config } from "../config.ts";
import { type ErrorCode, errorCatalogue } from "../lib/errors.ts";
import { type Guide, readGuides } from "../sites/docs/guides.ts";
import { type Found, type Place, searchFor, searchPlaces } from "../sites/docs/search.ts";

/** What the developer site says, for an assistant to search and read. */
export interface Docs {
  guides: readonly Guide[];
  search(query: string): Found[];
}

/** Read on first use: only then are all routes known. */
export function docsOf(config: Config, table: RouteTable): () => Docs {
  let docs: Docs | undefined;
  return () => {
    docs ??= readDocs(config, table);
    return docs;
  };
}

function readDocs(config: Config, table: RouteTable): Docs {
  const guides = readGuides(config.publicUrl);
  let places: Place[] | undefined;
  return {
    guides,
    search(query) {
      places ??= searchPlaces(guides, openApiDocument(table.routes, config));
      return searchFor(places, query);
    },
  };
}

export interface DocResource {
  uri: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
}

const guideUri = (slug: string) => `mostrador://guias/${slug}`;
const errorsUri = "mostrador://errores";
export const errorTemplate = {
  uriTemplate: `${errorsUri}/{code}`,
  name: "error",
  title: "Un código de error",
  description: "Qué significa un código de error de la API y qué hacer.",
  mimeType: "text/markdown",
};

const markdown = "text/markdown";

export function docResources({ guides }: Docs): DocResource[] {
  return [
    ...guides.map(({ slug, title, summary }) => ({
      ...{ uri: guideUri(slug), name: slug, title, description: summary, mimeType: markdown },
    })),
    {
      uri: errorsUri,
      name: "errores",
      title: "Códigos de error",
      description: "Todos los códigos de error de la API, y qué hacer con cada uno.",
      mimeType: markdown,
    },
  ];
}

/** The text of a resource; undefined where there is none. */
export function readDoc({ guides }: Docs, uri: string): string | undefined {
  const guide = guides.find(({ slug }) => guideUri(slug) === uri);
  if (guide) return guide.source;
  if (uri === errorsUri) return `# Códigos de error\n\n${errorCodes.map(errorText).join("\n")}`;
  const code = errorCodes.find((one) => uri === `${errorsUri}/${one}`);
  return code && errorText(code);
}

/** Where an assistant reads a page that the search found. */
export function uriOf({ guides }: Docs, href: string): string | undefined {
  const [path = "", anchor = ""] = href.split("#");
  const guide = guides.find((one) => one.path === path);
  if (guide) return guideUri(guide.slug);
  return path === "/docs/errores" ? `${errorsUri}/${anchor}` : undefined;
}

const errorCodes = Object.keys(errorCatalogue) as ErrorCode[];

function errorText(code: ErrorCode): string {
  const { status, message } = errorCatalogue[code];
  return `- \`${code}\` (HTTP ${status}): ${message}`;
}
