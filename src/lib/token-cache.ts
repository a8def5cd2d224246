import { gathered } from "./gathered.ts";

/** Caches what belongs to a token. Tokens are identified by their hash. */
export interface TokenCache<T> {
  /** The cached value, without a query. */
  peek(hash: Buffer): T | undefined;
  /** Shares its query with others that are asked for at the same time, so that guesses cost the database little. */
  load(hash: Buffer): Promise<T | undefined>;
  /** Drops all values: something they depend on changed, here or in another process. */
  clear(): void;
  /** Caches that depend on the same data are cleared together. */
  onClear(listener: () => void): void;
}

export interface TokenCacheOptions<T> {
  /** The values of those that exist. */
  read: (hashes: readonly Buffer[]) => Promise<{ hash: Buffer; value: T }[]>;
  maxAgeMs: number;
  maxEntries: number;
  /** Values that must be read again each time. */
  isCacheable?: (value: T) => boolean;
  monotonicNow?: (() => number) | undefined;
}

export function tokenCache<T>(options: TokenCacheOptions<T>): TokenCache<T> {
  const { read, maxAgeMs, maxEntries, isCacheable = () => true, monotonicNow = () => performance.now() } = options;
  const entries = new Map<string, { value: T; expiresAt: number }>();
  const listeners: (() => void)[] = [];
  let generation = 0;
  const lookUp = gathered(async (keys) => {
    const found = await read(keys.map((key) => Buffer.from(key, "latin1")));
    return new Map(found.map(({ hash, value }) => [keyOf(hash), value]));
  });

  return {
    peek(hash) {
      const entry = entries.get(keyOf(hash));
      return entry && entry.expiresAt > monotonicNow() ? entry.value : undefined;
    },
    async load(hash) {
      const started = generation;
      const value = await lookUp(keyOf(hash));
      // A token that was not found is not remembered: it may be created the next moment.
      if (!value) return undefined;
      // A change announced during the read may be newer than what was read.
      if (isCacheable(value) && started === generation) {
        if (entries.size >= maxEntries) entries.clear();
        entries.set(keyOf(hash), { value, expiresAt: monotonicNow() + maxAgeMs });
      }
      return value;
    },
    clear() {
      generation += 1;
      entries.clear();
      for (const listener of listeners) listener();
    },
    onClear: (listener) => void listeners.push(listener),
  };
}

function keyOf(hash: Buffer): string {
  return hash.toString("latin1");
}
