interface Document {
  paths: Record<string, Record<"get" | "post" | "patch", Operation | undefined>>;
}

interface Operation {
  operationId: string;
  parameters: { name?: string }[];
}

/** A resource as the clients of every language have it. */
export interface Resource {
  /** Where it stands in the client: ["inventory", "movements"]. */
  property: string[];
  path: string;
  /** In the names of its types: "Customer", "Customers". */
  one: string;
  many: string;
  /** Whether each record has an address of its own. */
  isReadable: boolean;
  isCreatable: boolean;
  isUpdatable: boolean;
  isBatchable: boolean;
  isCancellable: boolean;
  isPreviewable: boolean;
  isReceivable: boolean;
  isDeletable: boolean;
}

/** The table that the clients are generated from, and that the reference takes its calls from. */
export function resourcesOf(document: object): Resource[] {
  const { paths } = document as Document;
  return Object.entries(paths).flatMap(([path, { get, post }]) => {
    const single = paths[`${path}/{id}`];
    if (path === "/events" || path.includes("{") || !get?.operationId.startsWith("list")) return [];
    const many = get.operationId.replace(/^list/, "");
    return {
      property: path.slice(1).split("/").map(camelCase),
      path,
      one: single?.get?.operationId.replace(/^get/, "") ?? many.replace(/ies$/, "y").replace(/s$/, ""),
      many,
      isReadable: single !== undefined,
      isCreatable: post !== undefined,
      isBatchable: paths[`${path}/batch`] !== undefined,
      isCancellable: paths[`${path}/{id}/cancel`] !== undefined,
      isPreviewable: paths[`${path}/preview`] !== undefined,
      isReceivable: paths[`${path}/{id}/receipts`] !== undefined,
      isUpdatable: single?.patch !== undefined,
      isDeletable: get.parameters.some(({ name }) => name === "include_deleted"),
    };
  });
}

export function camelCase(segment: string): string {
  return segment.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
}
