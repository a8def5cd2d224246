import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import type { Invocation } from "./command.ts";
import { promptHidden, secretReader } from "./read-secret.ts";

/** A terminal as readline sees it, and its output. */
function terminal() {
  const shown = new PassThrough();
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} });
  return { input, shown, text: () => String(shown.read() ?? "") };
}

const invocation = (options: Record<string, string>, environment = "test") =>
  ({ config: { environment }, options }) as unknown as Invocation;

const piped = (text: string) => Object.assign(new PassThrough(), { isTTY: false }).end(text);

test("a secret typed on a terminal is not echoed", async () => {
  const { input, shown, text } = terminal();
  const answer = promptHidden("Contraseña: ", input, shown);
  input.write("correcto caballo\r");
  expect(await answer).toBe("correcto caballo");
  expect(text()).toBe("Contraseña: \n");
});

test("each dash takes the next line of standard input", async () => {
  const read = secretReader(invocation({ pin: "-", "authority-token": "-", more: "-" }), piped("12345\r\nficha\n"));
  expect(await read("pin")).toBe("12345");
  expect(await read("authority-token")).toBe("ficha");
  expect(await read("absent")).toBeUndefined();
  await expect(read("more")).rejects.toThrow("Falta el valor de --more en la entrada estándar");
});

test("a secret in the arguments is accepted in the test environment and refused in live", async () => {
  expect(await secretReader(invocation({ pin: "12345" }))("pin")).toBe("12345");
  await expect(secretReader(invocation({ pin: "12345" }, "live"))("pin")).rejects.toThrow("Escriba --pin -");
  expect(await secretReader(invocation({ pin: "-" }, "live"), piped("12345"))("pin")).toBe("12345");
});
