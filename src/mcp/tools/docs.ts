import type { Static } from "typebox";
import { label } from "../../engine/resources/fields.ts";
import { Type } from "../../lib/schema.ts";
import { uriOf } from "../docs.ts";
import { defineTool } from "../tool.ts";
import { defaultShown, limitField } from "./words.ts";

const Input = Type.Object(
  { text: label(100, { minLength: 2, description: "Qué se busca." }), limit: limitField() },
  { additionalProperties: false },
);

export const searchDocs = defineTool({
  name: "search_docs",
  title: "Buscar en la documentación",
  description: "Busca en las guías, la referencia y los códigos de error. `uri` se lee como recurso.",
  scopes: [],
  input: Input,
  async run({ text, limit = defaultShown }: Static<typeof Input>, { docs, deps }) {
    const found = docs.search(text).slice(0, limit);
    return {
      found: found.map(({ href, title, excerpt }) => {
        const uri = uriOf(docs, href);
        return { title, excerpt, url: deps.config.publicUrl + href, ...(uri !== undefined && { uri }) };
      }),
    };
  },
});
