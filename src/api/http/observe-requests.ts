import type { FastifyInstance } from "fastify";
import type { Metrics, Series } from "../../lib/metrics.ts";
import { kindOfRoute, type RequestKind } from "./request-kind.ts";

/** From a cached response to one that no client still waits for. */
const boundsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

declare module "fastify" {
  interface FastifyContextConfig {
    observe?: Observe;
  }
}

type Observe = (status: number, ms: number) => void;

/** Counts responses by route and status, and times them by kind. A route's series are looked up only once. */
export function observeRequests(app: FastifyInstance, metrics: Metrics): void {
  function observer(method: string, route: string, kind: RequestKind): Observe {
    const took = metrics.histogram("mostrador_http_request_seconds", "Time to answer, by kind.", boundsSeconds, {
      kind,
    });
    const counted = new Map<number, Series>();
    return (status, ms) => {
      let series = counted.get(status);
      if (!series) {
        const labels = { method, route, status: String(status) };
        series = metrics.counter("mostrador_http_requests_total", "Requests answered.", labels);
        counted.set(status, series);
      }
      series.value += 1;
      took.observe(ms / 1000);
    };
  }
  const unknown = observer("any", "unknown", "page");
  app.addHook("onRoute", (route) => {
    const method = String([route.method].flat()[0]);
    route.config = { ...route.config, observe: observer(method, route.url, kindOfRoute(method, route.url)) };
  });
  app.addHook("onResponse", (request, reply, done) => {
    const observe = request.is404 ? unknown : (request.routeOptions.config.observe ?? unknown);
    observe(reply.statusCode, reply.elapsedTime);
    done();
  });
}
