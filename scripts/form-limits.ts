import type { RouteTable } from "../src/api/http/route-table.ts";

interface Schema {
  properties?: Record<string, Schema>;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

/** What the portal's forms know of the schemas that validate what they send: the length of a text and the range of a number. */
export function formLimits({ routes }: RouteTable): string {
  const rows = routes.flatMap(({ method, url, schema }) => {
    const { properties } = (schema?.body ?? {}) as Schema;
    if (!properties) return [];
    const fields = Object.entries(properties).map(
      ([name, field]) => `${JSON.stringify(name)}: ${JSON.stringify(limitOf(field))}`,
    );
    return [
      `  ${JSON.stringify(`${[method].flat()[0]} ${url.replace("/portal/api", "")}`)}: { ${fields.join(", ")} },\n`,
    ];
  });
  return `/** Written by \`npm run generate\`: each field that a route takes, with the limits of the schema that validates it. */
export const limits = {
${rows.toSorted().join("")}} as const;
`;
}

function limitOf({ maxLength, minimum, maximum }: Schema): Schema {
  return {
    ...(maxLength !== undefined && { maxLength }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
}
