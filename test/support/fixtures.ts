import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import type { Deps } from "../../src/deps.ts";
import { verify } from "../../src/operations/verify/verify.ts";
import { type Business, freshDatabase, type Service, startService } from "./service.ts";

/**
 * Makes a fixture before the tests of a file, or of the `describe` around the call, and disposes of it after them. The
 * result can be a `const` of the test file: it forwards everything to the fixture once that exists. What outlives the file says
 * in `disposeOf` what is to be done after it instead.
 */
export function shared<T extends object>(make: () => T | Promise<T>, disposeOf?: (made: T) => Promise<void>): T {
  const { standIn, set, dispose } = placeFor<T>(disposeOf);
  beforeAll(async () => set(await make()));
  afterAll(dispose);
  return standIn;
}

/** The same, made anew before each test. */
export function perTest<T extends object>(make: () => T | Promise<T>): T {
  const { standIn, set, dispose } = placeFor<T>();
  beforeEach(async () => set(await make()));
  afterEach(dispose);
  return standIn;
}

/** The whole service on a database of its own, for all tests of the file. */
export function sharedService(settings: Record<string, string> = {}, own: Partial<Deps> = {}): Service {
  return shared(() => startService(settings, own));
}

/** A service whose data must pass `mostrador verify` after the last test. */
export function verifiedService(): Service {
  const service = sharedService();
  afterAll(async () => expect((await verify(service.deps.pool)).problems).toEqual([]));
  return service;
}

/** One business for all tests of the file. */
export function sharedShop(service: Service, options?: Parameters<Service["business"]>[0]): Business {
  return shared(() => service.business(options));
}

/** A new business for each test. */
export function shopPerTest(service: Service): Business {
  return perTest(() => service.business());
}

/** A migrated database without a service, for all tests of the file. */
export function sharedDatabase(): { url: string } {
  return shared(async () => {
    const { url, drop } = await freshDatabase();
    return { url, [Symbol.asyncDispose]: drop };
  });
}

/** A temporary folder for all tests of the file. */
export function sharedFolder(prefix: string, parent = tmpdir()): { path: string } {
  return shared(async () => {
    const path = await mkdtemp(join(parent, prefix));
    return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
  });
}

function placeFor<T extends object>(disposeOf?: (made: T) => Promise<void>) {
  let made: T | undefined;
  const current = (): T => {
    if (!made) throw new Error("a fixture is used before it is made: read it inside a test or a hook");
    return made;
  };
  const standIn = new Proxy({} as T, {
    get(_empty, name) {
      const value = Reflect.get(current(), name);
      return typeof value === "function" ? value.bind(current()) : value;
    },
    set: (_empty, name, value) => Reflect.set(current(), name, value),
    has: (_empty, name) => Reflect.has(current(), name),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_empty, name) => Reflect.getOwnPropertyDescriptor(current(), name),
  });
  const set = (fixture: T) => {
    made = fixture;
  };
  const dispose = async () => {
    const fixture = made as (T & Partial<AsyncDisposable>) | undefined;
    made = undefined;
    if (fixture && disposeOf) await disposeOf(fixture);
    else await fixture?.[Symbol.asyncDispose]?.();
  };
  return { standIn, set, dispose };
}
