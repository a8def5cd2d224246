import type { FastifyRequest } from "fastify";
import { type DeviceAccess, type DeviceCache, deviceTokenPrefix } from "../../access/devices/device-access.ts";
import { ApiError } from "../../lib/errors.ts";
import { networkOf } from "../../lib/network-of.ts";
import { hashToken, isWellFormedToken } from "../../lib/token.ts";
import { type RateLimiter, tooManyFailures } from "../http/rate-limit.ts";

declare module "fastify" {
  interface FastifyRequest {
    device: DeviceAccess;
  }
}

export interface DeviceAuth {
  devices: DeviceCache;
  /** Failed authentications per network. */
  failedAttempts: RateLimiter;
  /** Requests per register; absent when limits are turned off. */
  registers?: RateLimiter;
  /** Bytes uploaded per account, by all its registers; absent when limits are turned off. */
  uploads?: RateLimiter;
  /** Called when the new token of a rotation is used for the first time. */
  adopt: (hash: Buffer) => Promise<void>;
}

/** Authenticates a register. Only device tokens are accepted; a well-formed one is looked up whatever others at its address did. */
export async function authenticateDevice(auth: DeviceAuth, request: FastifyRequest): Promise<DeviceAccess> {
  const token = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? "")?.[1];
  const hash = token !== undefined && isWellFormedToken(deviceTokenPrefix, token) ? hashToken(token) : undefined;
  if (!hash) throw refused(auth, request, token === undefined ? missing : unknown);
  const device = auth.devices.peek(hash) ?? (await auth.devices.load(hash));
  if (!device) throw refused(auth, request, unknown);
  if (device.revokedAt !== null) throw new ApiError("DEVICE_REVOKED");
  if (!device.accountActive) throw new ApiError("ACCOUNT_INACTIVE");
  if (device.isNextToken) await auth.adopt(hash);
  return device;
}

const missing =
  "Falta el token de la caja. Envíe la cabecera `Authorization: Bearer <token>` con el que recibió al vincularse.";
const unknown =
  "El token no es el de una caja. Las claves de API no sirven aquí: vincule la caja con un código del portal, en Cajas.";

function refused(auth: DeviceAuth, request: FastifyRequest, message: string): ApiError {
  return auth.failedAttempts.take(networkOf(request.ip))
    ? new ApiError("UNAUTHENTICATED", { message })
    : tooManyFailures(auth.failedAttempts.state(networkOf(request.ip)));
}
