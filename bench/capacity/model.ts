import type { Figure } from "../support/measure.ts";

/** The names of the measured figures that the model needs. */
export const measuredNames = {
  service: "sales per core-second of the service, of PostgreSQL's",
  database: "sales per core-second of PostgreSQL, of the service's",
  memory: "memory of a process under load, of the 600 MB to plan with",
  kept: "disk per sale that is kept, of all it takes at first",
  passing: "disk per sale that leaves after 30 days, of all it takes at first",
  wal: "write-ahead log per sale, of its disk",
  traffic: "bodies between register and service per sale, of its disk",
} as const;

/** What one sale costs, as measured on one machine. */
export interface CostOfSale {
  serviceCoreSeconds: number;
  databaseCoreSeconds: number;
  processMegabytes: number;
  keptKilobytes: number;
  passingKilobytes: number;
  walKilobytes: number;
  trafficKilobytes: number;
}

/** What is assumed and not measured; the page says so. */
export const assumptions = {
  /** 20 000 shops with 6 million sales a day, 625 a second at the peak. */
  salesPerShopAndDay: 300,
  peakSalesPerShopAndSecond: 625 / 20_000,
  /** A core that is busier has no room for a bad minute. */
  busyShare: 0.5,
  coresPerDatabase: 16,
  passingDays: 30,
};

export interface Size {
  shops: number;
  salesPerDay: number;
  peakSalesPerSecond: number;
  processes: number;
  databaseCores: number;
  /** Primary servers; each has a standby of the same size. */
  databases: number;
  memoryGigabytes: number;
  keptGigabytesPerDay: number;
  passingGigabytes: number;
  walMegabitsPerSecond: number;
  trafficMegabitsPerSecond: number;
  coreHoursPerShopAndMonth: number;
}

export function readCosts(figures: readonly Figure[]): CostOfSale {
  const of = (name: string) => {
    const found = figures.find((figure) => figure.name === name);
    if (!found) throw new Error(`"${name}" was not measured`);
    return found.ours;
  };
  return {
    serviceCoreSeconds: 1 / of(measuredNames.service),
    databaseCoreSeconds: 1 / of(measuredNames.database),
    processMegabytes: of(measuredNames.memory),
    keptKilobytes: of(measuredNames.kept),
    passingKilobytes: of(measuredNames.passing),
    walKilobytes: of(measuredNames.wal),
    trafficKilobytes: of(measuredNames.traffic),
  };
}

/** What so many shops take, by the costs of a sale and the assumptions. */
export function sizeFor(shops: number, cost: CostOfSale): Size {
  const salesPerDay = shops * assumptions.salesPerShopAndDay;
  const peak = shops * assumptions.peakSalesPerShopAndSecond;
  // Two of each, so that one may be restarted; one shop has one of everything.
  const least = shops > 100 ? 2 : 1;
  const processes = Math.max(least, Math.ceil((peak * cost.serviceCoreSeconds) / assumptions.busyShare));
  const databaseCores = Math.max(1, Math.ceil((peak * cost.databaseCoreSeconds) / assumptions.busyShare));
  const databases = Math.ceil(databaseCores / assumptions.coresPerDatabase);
  return {
    shops,
    salesPerDay,
    peakSalesPerSecond: peak,
    processes,
    databaseCores,
    databases,
    memoryGigabytes: (processes * cost.processMegabytes) / 1000,
    keptGigabytesPerDay: (salesPerDay * cost.keptKilobytes) / 1e6,
    passingGigabytes: (salesPerDay * cost.passingKilobytes * assumptions.passingDays) / 1e6,
    walMegabitsPerSecond: (peak * cost.walKilobytes * 8) / 1000,
    trafficMegabitsPerSecond: (peak * cost.trafficKilobytes * 8) / 1000,
    coreHoursPerShopAndMonth: ((processes + 2 * databaseCores) * 24 * 30) / shops,
  };
}

/** The most shops that one process, and one database server, carry at the peak. */
export function shopsUntilLimit(cost: CostOfSale): { perProcess: number; perDatabase: number } {
  const shopsPerCore = (coreSeconds: number) =>
    assumptions.busyShare / (coreSeconds * assumptions.peakSalesPerShopAndSecond);
  return {
    perProcess: Math.floor(shopsPerCore(cost.serviceCoreSeconds)),
    perDatabase: Math.floor(shopsPerCore(cost.databaseCoreSeconds) * assumptions.coresPerDatabase),
  };
}
