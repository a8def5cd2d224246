import type { FastifyRequest, RouteOptions } from "fastify";

/** The routes of one API as registered, for the reference and for `Allow` headers. */
export interface RouteTable {
  routes: RouteOptions[];
  /** The methods that a path supports; empty for an unknown path. */
  methodsOf(path: string): string[];
}

export function routeTable(): RouteTable & { collect: (route: RouteOptions) => void } {
  const routes: RouteOptions[] = [];
  const patterns: { pattern: RegExp; methods: string[] }[] = [];
  return {
    routes,
    collect(route) {
      const methods = [route.method].flat();
      routes.push(route);
      const pattern = new RegExp(`^${route.url.replace(/[.]/g, "\\.").replace(/:[^/]+/g, "[^/]+")}$`);
      patterns.push({ pattern, methods });
    },
    methodsOf(path) {
      return [...new Set(patterns.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods))];
    },
  };
}

/** The router matches `/customers/` with an empty id, which is no record, so it is treated as an unknown route. */
export function isUnknownRoute({ is404, params }: FastifyRequest): boolean {
  return is404 || Object.values(params as Record<string, string>).includes("");
}
