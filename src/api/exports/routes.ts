import type { ServerResponse } from "node:http";
import type { TObject, TSchema } from "typebox";
import { resources } from "../../business/registry.ts";
import { prepared } from "../../db/sql.ts";
import type { ListSpec } from "../../engine/resources/list-spec.ts";
import { type Scope, scopeOf } from "../../engine/resources/scopes.ts";
import { concurrencyLimit, runningTasks } from "../../lib/concurrency-limit.ts";
import { timeOfUuidv7 } from "../../lib/ids.ts";
import { Type } from "../../lib/schema.ts";
import { Event, EventQuery } from "../public/event-schema.ts";
import { eventList } from "../public/events.ts";
import type { TypedApp } from "../public/public-app.ts";
import type { ReadingDeps } from "../public/reading.ts";
import { type ExportDeps, type ExportSpec, sendExport } from "./send-export.ts";

const startingAfter = Type.Optional(
  Type.String({
    description:
      "El `id` del último registro recibido, para seguir donde se cortó; o el `next_cursor` de la lista con los mismos filtros.",
  }),
);

/** One export per list, with the list's own permission and filters. */
const exported: Exported[] = [
  ...resources.map(({ path, spanish, scope, schema, query, ...list }) => ({
    name: path.slice(1).replace("/", "-"),
    path,
    spanish: spanish.many,
    ...(scope !== null && { permission: scopeOf(scope, "read") }),
    record: schema,
    query: withoutPaging(query),
    list,
  })),
  {
    name: "events",
    path: "/events",
    spanish: "eventos de los últimos 30 días",
    permission: "events:read",
    record: Event,
    query: withoutPaging(EventQuery),
    list: eventList,
  },
];

const maxReaders = 4;

export function exportRoutes(app: TypedApp, deps: ReadingDeps): void {
  const running = new Set<ServerResponse>();
  const exportDeps: ExportDeps = {
    ...deps,
    running,
    runningByAccount: runningTasks(),
    limitReads: concurrencyLimit(maxReaders),
  };
  app.addHook("preClose", (done) => {
    for (const response of running) response.destroy();
    done();
  });
  for (const { name, path, spanish, permission, record, query, list } of exported) {
    const spec: ExportSpec = {
      list,
      listRoute: app.prefix + path,
      createdAtOf: name === "events" ? async (_pool, _account, id) => timeOfUuidv7(id) : createdAtIn(list.table),
    };
    app.get(
      `/exports/${name}`,
      {
        // A HEAD would have to read the whole export.
        exposeHeadRoute: false,
        config: { ...(permission && { permission }), lineSchema: record },
        schema: { tags: ["Exportaciones"], summary: `Exportar ${spanish}`, querystring: query },
      },
      (request, reply) => sendExport(exportDeps, request, reply, spec),
    );
  }
}

interface Exported {
  name: string;
  /** The path of its list. */
  path: string;
  spanish: string;
  /** None where any key reads the list. */
  permission?: Scope | undefined;
  record: TSchema;
  query: TObject;
  list: ListSpec;
}

function withoutPaging(query: TObject): TObject {
  const { limit: _, ...filters } = query.properties;
  return Type.Object({ ...filters, starting_after: startingAfter }, { additionalProperties: false });
}

function createdAtIn(table: string): ExportSpec["createdAtOf"] {
  return async (pool, accountId, id) => {
    const text = `select created_at from ${table} where account_id = $1 and id = $2`;
    const { rows } = await pool.query<{ created_at: Date }>(prepared(text, [accountId, id]));
    return rows[0]?.created_at;
  };
}
