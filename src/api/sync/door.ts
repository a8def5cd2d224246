import type { FastifyRequest } from "fastify";
import { type DeviceAccess, type DeviceCache, deviceTokenPrefix } from "../../access/devices/device-access.ts";
import { ApiError } from "../../lib/errors.ts";
import { networkOf } from "../../lib/network-of.ts";
import { hashToken, isWellFormedToken } from "../../lib/token.ts";
import { type RateLimiter, rateLimited } from "../http/rate-limit.ts";

declare module "fastify" {
  interface FastifyRequest {
    device: DeviceAccess;
  }
}

export interface DeviceDoor {
  devices: DeviceCache;
  /** Failed authentications, per address. */
  strangers: RateLimiter;
  /** Requests, per register; none where limits are turned off. */
  registers?: RateLimiter;
  /** By what an account uploads, in all its registers. */
  uploads?: RateLimiter;
  /** The token of a rotation is used for the first time. */
  adopt: (hash: Buffer) => Promise<void>;
}

/** The door of register synchronization: a device token and nothing else opens it. */
export async function authenticateDevice(door: DeviceDoor, request: FastifyRequest): Promise<DeviceAccess> {
  const token = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? "")?.[1];
  const hash = token !== undefined && isWellFormedToken(deviceTokenPrefix, token) ? hashToken(token) : undefined;
  if (!hash) throw refused(door, request, token === undefined ? missing : unknown);
  const device = door.devices.peek(hash) ?? (await load(door, request, hash));
  if (!device) throw refused(door, request, unknown);
  if (device.revokedAt !== null) throw new ApiError("DEVICE_REVOKED");
  if (!device.accountActive) throw new ApiError("ACCOUNT_INACTIVE");
  if (device.isNextToken) await door.adopt(hash);
  return device;
}

/** A guesser may not make the database work: past its allowance, only registers already known get through. */
async function load(door: DeviceDoor, request: FastifyRequest, hash: Buffer): Promise<DeviceAccess | undefined> {
  if (!door.devices.isKnown(hash)) {
    const state = door.strangers.state(networkOf(request.ip));
    if (state.remaining === 0) throw rateLimited(state);
  }
  return door.devices.load(hash);
}

const missing =
  "Falta el token de la caja. Envíe la cabecera `Authorization: Bearer <token>` con el que recibió al vincularse.";
const unknown =
  "El token no es el de una caja. Las claves de API no sirven aquí: vincule la caja con un código del portal, en Cajas.";

function refused(door: DeviceDoor, request: FastifyRequest, message: string): ApiError {
  return door.strangers.take(networkOf(request.ip))
    ? new ApiError("UNAUTHENTICATED", { message })
    : rateLimited(door.strangers.state(networkOf(request.ip)));
}
