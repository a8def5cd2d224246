import type { FastifyRequest, RouteOptions } from "fastify";

/** The routes of one API as they were registered: what the reference is made from, and who answers which method. */
export interface RouteTable {
  routes: RouteOptions[];
  /** The methods that a path answers to; empty for an unknown path. */
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

/** The router takes the nothing after a last slash for an id: `/customers/` names no record, so it is no route. */
export function isUnknownRoute({ is404, params }: FastifyRequest): boolean {
  return is404 || Object.values(params as Record<string, string>).includes("");
}
