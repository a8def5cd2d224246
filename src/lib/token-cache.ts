/** Caches what belongs to a token. Tokens are identified by their hash. */
export interface TokenCache<T> {
  /** The cached value, without a query. */
  peek(hash: Buffer): T | undefined;
  /** Whether this token was valid before, even if its cached value has expired. */
  isKnown(hash: Buffer): boolean;
  /** Records a token that was just issued as valid. */
  markKnown(hash: Buffer): void;
  load(hash: Buffer): Promise<T | undefined>;
  /** Drops all values: something they depend on changed, here or in another process. */
  clear(): void;
  /** Caches that depend on the same data are cleared together. */
  onClear(listener: () => void): void;
}

export interface TokenCacheOptions<T> {
  read: (hash: Buffer) => Promise<T | undefined>;
  maxAgeMs: number;
  maxEntries: number;
  /** Values that must be read again each time. */
  isCacheable?: (value: T) => boolean;
  monotonicNow?: (() => number) | undefined;
}

const maxKnown = 100_000;

export function tokenCache<T>(options: TokenCacheOptions<T>): TokenCache<T> {
  const { read, maxAgeMs, maxEntries, isCacheable = () => true, monotonicNow = () => performance.now() } = options;
  const entries = new Map<string, { value: T; expiresAt: number }>();
  // Never cleared by a change: somebody who guesses tokens from the same address cannot lock out one that was valid.
  const known = new Set<string>();
  const listeners: (() => void)[] = [];
  let generation = 0;

  function markKnown(hash: Buffer): void {
    if (known.size >= maxKnown) known.clear();
    known.add(keyOf(hash));
  }

  return {
    peek(hash) {
      const entry = entries.get(keyOf(hash));
      return entry && entry.expiresAt > monotonicNow() ? entry.value : undefined;
    },
    isKnown: (hash) => known.has(keyOf(hash)),
    markKnown,
    async load(hash) {
      const started = generation;
      const value = await read(hash);
      // A token that was not found is not remembered: it may be created the next moment.
      if (!value) return undefined;
      markKnown(hash);
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
