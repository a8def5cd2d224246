import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { syncClient } from "../register/sync-client.ts";
import { type Cashier, newCashier } from "./cashier.ts";
import { type Chance, newChance } from "./chance.ts";
import { badDay, faultyNetwork } from "./faulty-network.ts";
import { openRegister, type Register, readEntries } from "./register.ts";
import { starterCatalog } from "./starter-catalog.ts";

export interface SimulationOptions {
  baseUrl: string;
  registers: number;
  /** Actions per second at each register. */
  rate: number;
  forMs: number;
  /** The share of time that a register is offline. */
  offline: number;
  folder: string;
  seed: number;
  newCode: () => Promise<string>;
  onProgress?: (progress: Progress) => void;
  /** Receives what the registers print: the Z of each shift that closes. */
  print?: (text: string) => void;
}

export interface Progress {
  elapsedMs: number;
  sales: number;
  pending: number;
  online: number;
  failures: number;
}

export interface Summary {
  sales: number;
  records: number;
  pending: number;
  failures: number;
  restored: number;
  folders: string[];
}

interface Checkout {
  register: Register;
  cashier: Cashier;
  chance: Chance;
  /** The folders of its journals, including those from before a backup was restored. */
  folders: string[];
  isOffline: boolean;
  failures: number;
  /** The folder of its backup, if it has one; the backup is restored later. */
  backup: string | undefined;
  restored: number;
  reopen: (folder: string) => Promise<void>;
}

const names = ["Caja 1", "Caja 2", "Caja Rápida", "Caja Domicilios", "Barra", "Terraza"];
const drainMs = 60_000;

/** A bad day at a shop: registers sell while the network fails and a backup is restored. */
export async function simulate(options: SimulationOptions): Promise<Summary> {
  const startedAt = performance.now();
  const until = startedAt + options.forMs;
  const checkouts: Checkout[] = [];
  for (let i = 0; i < options.registers; i++) checkouts.push(await openCheckout(options, i));
  await addStarterCatalog(checkouts[0]!.register);
  const isOpen = () => performance.now() < until;
  const dayShare = () => 1 - (until - performance.now()) / options.forMs;
  const report = setInterval(() => options.onProgress?.(progressOf(checkouts, startedAt)), 500);
  try {
    await Promise.all(
      checkouts.flatMap((checkout, i) => [
        sellUntilClosed(checkout, options, isOpen),
        synchronize(checkout, isOpen, async () => {
          if (i === 0 && dayShare() > 0.3 && checkout.backup === undefined) backUp(checkout);
          if (dayShare() > 0.6) await restoreBackup(checkout);
        }),
        simulateOutages(checkout, options, isOpen),
      ]),
    );
    for (const checkout of checkouts) {
      checkout.isOffline = false;
      checkout.cashier.closeShift();
    }
    const drained = performance.now() + drainMs;
    const hasPending = (checkout: Checkout) => checkout.register.pending() > 0 && performance.now() < drained;
    const drain = () => Promise.all(checkouts.map((checkout) => synchronize(checkout, () => hasPending(checkout))));
    await drain();
    await ensureRestored(checkouts[0]!);
    await drain();
  } finally {
    clearInterval(report);
  }
  options.onProgress?.(progressOf(checkouts, startedAt));
  for (const { register } of checkouts) register.close();
  const entries = checkouts.flatMap(({ folders }) => folders.flatMap(readEntries));
  return {
    sales: new Set(entries.filter(({ type }) => type === "sale").map(({ id }) => id)).size,
    records: entries.length,
    pending: checkouts.reduce((total, { register }) => total + register.pending(), 0),
    failures: checkouts.reduce((total, { failures }) => total + failures, 0),
    restored: checkouts.reduce((total, { restored }) => total + restored, 0),
    folders: checkouts.flatMap(({ folders }) => folders),
  };
}

async function openCheckout(options: SimulationOptions, i: number): Promise<Checkout> {
  const chance = newChance(options.seed + i);
  // The second register's clock is two days behind, the third's an hour ahead.
  const skewMs = [0, -2 * 86_400_000, 3_600_000][i % 3]!;
  const now = () => new Date(Date.now() + skewMs);
  const folder = join(options.folder, `register-${i + 1}`);
  const name = names[i % names.length]!;
  const state = { isOffline: false };
  const client = syncClient(
    options.baseUrl,
    faultyNetwork(fetch, chance, badDay, () => state.isOffline),
  );
  const open = (where: string) =>
    retrying(() => openRegister({ folder: where, name, client, newCode: options.newCode, now }));
  const register = await open(folder);
  const checkout: Checkout = Object.assign(state, {
    register,
    cashier: newCashier(register, chance, now, { print: options.print }),
    chance,
    folders: [folder],
    failures: 0,
    backup: undefined,
    restored: 0,
    async reopen(where: string) {
      const before = checkout.register;
      const sold = checkout.cashier.sales();
      const after = await open(where);
      checkout.register = after;
      checkout.cashier = newCashier(after, chance, now, { sold, print: options.print });
      before.close();
      checkout.folders.push(where);
    },
  });
  while (await retrying(() => register.pull(0)));
  return checkout;
}

/** Restores the backup at the end if the day was too short or too bad for it. */
async function ensureRestored(checkout: Checkout): Promise<void> {
  if (checkout.restored > 0) return;
  if (checkout.backup === undefined) backUp(checkout);
  checkout.cashier.act();
  while (checkout.register.pending() > 0) await retrying(() => checkout.register.push());
  await retrying(() => restoreBackup(checkout));
  while (await retrying(() => checkout.register.pull(0)));
  for (let i = 0; i < 5; i++) checkout.cashier.act();
  checkout.cashier.closeShift();
}

function backUp(checkout: Checkout): void {
  checkout.backup = `${checkout.folders[0]}-restored`;
  checkout.register.backUp(checkout.backup);
}

/** The register goes back to its backup and forgets what it sold since. */
async function restoreBackup(checkout: Checkout): Promise<void> {
  // Entries that were never uploaded would be lost with the old tablet; no protocol can prevent that.
  if (checkout.backup === undefined || checkout.restored > 0 || checkout.register.pending() > 0) return;
  checkout.restored = 1;
  await checkout.reopen(checkout.backup);
}

async function addStarterCatalog(register: Register): Promise<void> {
  if (register.catalog.products().length > 0) return;
  register.record(starterCatalog(register.catalog.all("warehouse").length > 0));
  while (await retrying(() => register.push()));
  while (await retrying(() => register.pull(0)));
}

async function sellUntilClosed(checkout: Checkout, { rate }: SimulationOptions, isOpen: () => boolean): Promise<void> {
  while (isOpen()) {
    checkout.cashier.act();
    await delay((checkout.chance.between(500, 1500) / 1000) * (1000 / rate));
  }
}

/** Uploads and receives in turns, with exponential backoff and jitter after failures. */
async function synchronize(
  checkout: Checkout,
  keepsRunning: () => boolean,
  afterwards = async () => {},
): Promise<void> {
  let waitMs = 100;
  while (keepsRunning()) {
    try {
      while (await checkout.register.push()) if (!keepsRunning()) break;
      while (await checkout.register.pull(0));
      await afterwards();
      waitMs = 100;
    } catch {
      checkout.failures += 1;
      waitMs = Math.min(waitMs * 2, 3_000);
    }
    await delay(waitMs * (0.5 + Math.random()));
  }
}

/** Outages of a few seconds each. */
async function simulateOutages(
  checkout: Checkout,
  { offline }: SimulationOptions,
  isOpen: () => boolean,
): Promise<void> {
  while (isOpen()) {
    checkout.isOffline = checkout.chance.happens(offline);
    await delay(checkout.chance.between(500, 2500));
  }
}

async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === 20) throw error;
      await delay(Math.min(100 * 2 ** attempt, 2_000) * (0.5 + Math.random()));
    }
  }
}

function progressOf(checkouts: readonly Checkout[], startedAt: number): Progress {
  return {
    elapsedMs: performance.now() - startedAt,
    sales: checkouts.reduce((total, { cashier }) => total + cashier.sales(), 0),
    pending: checkouts.reduce((total, { register }) => total + register.pending(), 0),
    online: checkouts.filter(({ isOffline }) => !isOffline).length,
    failures: checkouts.reduce((total, { failures }) => total + failures, 0),
  };
}
