import { createContext, useContext, useSyncExternalStore } from "react";
import type { CounterState } from "../../register/counter.ts";
import type { SyncStatus } from "../../register/synchronize.ts";
import type { Device, Open, Phase } from "./device/device.ts";

export const DeviceContext = createContext<Device | undefined>(undefined);

export function useDevice(): Device {
  return useContext(DeviceContext)!;
}

export function usePhase(): Phase {
  const device = useDevice();
  return useSyncExternalStore(device.subscribe, device.phase);
}

export function useStatus(): SyncStatus {
  const device = useDevice();
  return useSyncExternalStore(device.subscribe, device.status);
}

/** Changes whenever the feed brought something. */
export function useNews(): number {
  const device = useDevice();
  return useSyncExternalStore(device.subscribe, device.news);
}

export const OpenContext = createContext<Open | undefined>(undefined);

export function useOpen(): Open {
  return useContext(OpenContext)!;
}

export function useCounter(): CounterState {
  const { counter } = useOpen();
  return useSyncExternalStore(counter.subscribe, counter.state);
}

/** A part of it: the component is drawn again only when that has changed. */
export function useCounterPart<Part>(select: (state: CounterState) => Part): Part {
  const { counter } = useOpen();
  return useSyncExternalStore(counter.subscribe, () => select(counter.state()));
}

/** Whether the service takes what a newer register offers. */
export function useAccepts(capability: string): boolean {
  const device = useDevice();
  return useSyncExternalStore(device.subscribe, () => device.accepts(capability));
}
