import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { badDay, badNetwork } from "./bad-network.ts";
import { type Cashier, newCashier } from "./cashier.ts";
import { type Chance, newChance } from "./chance.ts";
import { openRegister, type Register, readBooks } from "./register.ts";
import { starterCatalog } from "./starter-catalog.ts";
import { syncClient } from "./sync-client.ts";

export interface SimulationOptions {
  baseUrl: string;
  registers: number;
  /** Actions a second at each register. */
  rate: number;
  forMs: number;
  /** The share of the time that a register is without network. */
  offline: number;
  folder: string;
  seed: number;
  newCode: () => Promise<string>;
  onProgress?: (progress: Progress) => void;
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

interface Desk {
  register: Register;
  cashier: Cashier;
  chance: Chance;
  /** Its books; those before a backup was brought back too. */
  folders: string[];
  isOffline: boolean;
  failures: number;
  /** Where the backup is, if this register makes one; it is brought back later in the day. */
  backup: string | undefined;
  restored: number;
  reopen: (folder: string) => Promise<void>;
}

const names = ["Caja 1", "Caja 2", "Caja Rápida", "Caja Domicilios", "Barra", "Terraza"];
const drainMs = 60_000;

/** A bad day at a shop: registers sell while the network, the power and a backup let them down. */
export async function simulate(options: SimulationOptions): Promise<Summary> {
  const startedAt = performance.now();
  const until = startedAt + options.forMs;
  const desks: Desk[] = [];
  for (let i = 0; i < options.registers; i++) desks.push(await openDesk(options, i));
  await stockShelves(desks[0]!.register);
  const isOpen = () => performance.now() < until;
  const share = () => 1 - (until - performance.now()) / options.forMs;
  const report = setInterval(() => options.onProgress?.(progressOf(desks, startedAt)), 500);
  try {
    await Promise.all(
      desks.flatMap((desk, i) => [
        trade(desk, options, isOpen),
        synchronize(desk, isOpen, async () => {
          if (i === 0 && share() > 0.3 && desk.backup === undefined) backUp(desk);
          if (share() > 0.6) await restoreBackup(desk);
        }),
        weather(desk, options, isOpen),
      ]),
    );
    for (const desk of desks) {
      desk.isOffline = false;
      desk.cashier.closeShift();
    }
    const drained = performance.now() + drainMs;
    const isLeft = (desk: Desk) => desk.register.pending() > 0 && performance.now() < drained;
    const drain = () => Promise.all(desks.map((desk) => synchronize(desk, () => isLeft(desk))));
    await drain();
    await tradeAfterRestoring(desks[0]!);
    await drain();
  } finally {
    clearInterval(report);
  }
  options.onProgress?.(progressOf(desks, startedAt));
  for (const { register } of desks) register.close();
  const books = desks.flatMap(({ folders }) => folders.flatMap(readBooks));
  return {
    sales: new Set(books.filter(({ type }) => type === "sale").map(({ id }) => id)).size,
    records: books.length,
    pending: desks.reduce((total, { register }) => total + register.pending(), 0),
    failures: desks.reduce((total, { failures }) => total + failures, 0),
    restored: desks.reduce((total, { restored }) => total + restored, 0),
    folders: desks.flatMap(({ folders }) => folders),
  };
}

async function openDesk(options: SimulationOptions, i: number): Promise<Desk> {
  const chance = newChance(options.seed + i);
  // The second register's clock is two days behind, the third's an hour ahead.
  const skewMs = [0, -2 * 86_400_000, 3_600_000][i % 3]!;
  const now = () => new Date(Date.now() + skewMs);
  const folder = join(options.folder, `register-${i + 1}`);
  const name = names[i % names.length]!;
  const state = { isOffline: false };
  const client = syncClient(
    options.baseUrl,
    badNetwork(fetch, chance, badDay, () => state.isOffline),
  );
  const open = (where: string) =>
    retrying(() => openRegister({ folder: where, name, client, newCode: options.newCode, now }));
  const register = await open(folder);
  const desk: Desk = Object.assign(state, {
    register,
    cashier: newCashier(register, chance, now),
    chance,
    folders: [folder],
    failures: 0,
    backup: undefined,
    restored: 0,
    async reopen(where: string) {
      const before = desk.register;
      const sold = desk.cashier.sales();
      const after = await open(where);
      desk.register = after;
      desk.cashier = newCashier(after, chance, now, sold);
      before.close();
      desk.folders.push(where);
    },
  });
  while (await retrying(() => register.pull(0)));
  return desk;
}

/** A day too short or too bad for it has its mishap at the end. */
async function tradeAfterRestoring(desk: Desk): Promise<void> {
  if (desk.restored > 0) return;
  if (desk.backup === undefined) backUp(desk);
  desk.cashier.act();
  while (desk.register.pending() > 0) await retrying(() => desk.register.push());
  await retrying(() => restoreBackup(desk));
  while (await retrying(() => desk.register.pull(0)));
  for (let i = 0; i < 5; i++) desk.cashier.act();
  desk.cashier.closeShift();
}

function backUp(desk: Desk): void {
  desk.backup = `${desk.folders[0]}-restored`;
  desk.register.backUp(desk.backup);
}

/** Early in the day a backup is made; later it is brought back, and the register forgets what it sold in between. */
async function restoreBackup(desk: Desk): Promise<void> {
  // What was never uploaded would be gone with the old tablet: no protocol can save that.
  if (desk.backup === undefined || desk.restored > 0 || desk.register.pending() > 0) return;
  desk.restored = 1;
  await desk.reopen(desk.backup);
}

async function stockShelves(register: Register): Promise<void> {
  if (register.catalog.products().length > 0) return;
  register.record(starterCatalog());
  while (await retrying(() => register.push()));
  while (await retrying(() => register.pull(0)));
}

async function trade(desk: Desk, { rate }: SimulationOptions, isOpen: () => boolean): Promise<void> {
  while (isOpen()) {
    desk.cashier.act();
    await delay((desk.chance.between(500, 1500) / 1000) * (1000 / rate));
  }
}

/** Uploads what waits and looks for news; after a failure it waits longer each time, and never as long as others do. */
async function synchronize(desk: Desk, goesOn: () => boolean, afterwards = async () => {}): Promise<void> {
  let waitMs = 100;
  while (goesOn()) {
    try {
      while (await desk.register.push()) if (!goesOn()) break;
      while (await desk.register.pull(0));
      await afterwards();
      waitMs = 100;
    } catch {
      desk.failures += 1;
      waitMs = Math.min(waitMs * 2, 3_000);
    }
    await delay(waitMs * (0.5 + Math.random()));
  }
}

/** Outages, by share of the time, each a few seconds long. */
async function weather(desk: Desk, { offline }: SimulationOptions, isOpen: () => boolean): Promise<void> {
  while (isOpen()) {
    desk.isOffline = desk.chance.happens(offline);
    await delay(desk.chance.between(500, 2500));
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

function progressOf(desks: readonly Desk[], startedAt: number): Progress {
  return {
    elapsedMs: performance.now() - startedAt,
    sales: desks.reduce((total, { cashier }) => total + cashier.sales(), 0),
    pending: desks.reduce((total, { register }) => total + register.pending(), 0),
    online: desks.filter(({ isOffline }) => !isOffline).length,
    failures: desks.reduce((total, { failures }) => total + failures, 0),
  };
}
