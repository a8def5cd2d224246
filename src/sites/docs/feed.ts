import { escapeHtml } from "../../lib/escape-html.ts";
import { product } from "./layout.ts";
import type { Document } from "./markdown.ts";

export const feedPath = "/docs/novedades.atom";

/** What changed for integrators, for a reader of feeds (RFC 4287): an entry for each heading of «Novedades», which says its day or its month. */
export function newsFeed({ path, sections }: Pick<Document, "sections"> & { path: string }, publicUrl: string): string {
  const entries = sections
    .filter(({ id }) => id)
    .map(({ id, title, text }) => ({ id, title, text, at: instantOf(title) }));
  const address = publicUrl + path;
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="es">
<id>${address}</id>
<title>${product}: novedades para quien integra</title>
<link href="${address}"/>
<link rel="self" type="application/atom+xml" href="${publicUrl}${feedPath}"/>
<updated>${entries[0]!.at}</updated>
<author><name>${product}</name></author>
${entries
  .map(
    ({ id, title, text, at }) => `<entry>
<id>${address}#${id}</id>
<title>${escapeHtml(title)}</title>
<link href="${address}#${id}"/>
<updated>${at}</updated>
<content type="text">${escapeHtml(text.trim())}</content>
</entry>`,
  )
  .join("\n")}
</feed>
`;
}

/** A month without a day is its first. */
function instantOf(heading: string): string {
  const [, month = "", day = "01"] = /^(\d{4}-\d{2})(?:-(\d{2}))?/.exec(heading) ?? [];
  if (month === "") throw new Error(`«${heading}» begins with no month: no feed can say when it was`);
  return `${month}-${day}T00:00:00-05:00`;
}
