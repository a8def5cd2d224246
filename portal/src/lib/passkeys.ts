import { ApiError, post } from "./api.ts";

type Browser = typeof import("@simplewebauthn/browser");
type Creating = Parameters<Browser["startRegistration"]>[0]["optionsJSON"];
type Asking = Parameters<Browser["startAuthentication"]>[0]["optionsJSON"];

/** A passkey belongs to a name: at an address of numbers no browser has one. */
const hasName = !/^[\d.]+$|:/.test(window.location.hostname);
export const knowsPasskeys = typeof window.PublicKeyCredential === "function" && hasName;

/** Has the browser make a passkey, and resolves with what is stored of it. */
export async function makePasskey(options: unknown): Promise<object> {
  const { startRegistration } = await import("@simplewebauthn/browser");
  return unlessCancelled(() => startRegistration({ optionsJSON: options as Creating }));
}

/** Asks the service what is to be signed, and has a passkey sign it. */
export async function signWithPasskey(path: string): Promise<object> {
  const [options, { startAuthentication }] = await Promise.all([post(path), import("@simplewebauthn/browser")]);
  return unlessCancelled(() => startAuthentication({ optionsJSON: options as Asking }));
}

/** Browsers do not tell a cancelled prompt from one that found no key. */
async function unlessCancelled(run: () => Promise<object>): Promise<object> {
  try {
    return await run();
  } catch {
    throw new ApiError(
      0,
      {
        code: "PASSKEY_CANCELLED",
        message: "El navegador no entregó una llave de acceso. Intente otra vez, o elija otra forma.",
      },
      null,
    );
  }
}
