import type { MovedClock } from "../access/accounts/test-clock.ts";
import { testClockPath } from "../api/public/test-clock-path.ts";
import { type Command, type Here, type Invocation, type ShownClock, UsageError, word } from "./command.ts";
import { connectionOf, connectionOptions } from "./integrator.ts";
import { callTestRoute } from "./test-routes.ts";

export const clockAdvance: Command = {
  name: "clock advance",
  summary: "Adelanta el reloj de la instalación, solo en pruebas",
  usage: "26h   (también 90s, 15m, 2d, 1d12h)",
  options: connectionOptions,
  takes: 1,
  async run(invocation) {
    const duration = word(invocation, 0, "cuánto adelantar, por ejemplo 26h");
    const result = isRemote(invocation)
      ? await callTestRoute<MovedClock>(connectionOf(invocation), testClockPath, {
          method: "POST",
          body: JSON.stringify({ advance: duration }),
        })
      : await hereOf(invocation).advanceClock(duration);
    const { now, processes } = result;
    const where = `aplicado en ${processes} ${processes === 1 ? "proceso" : "procesos"}`;
    invocation.out.result(result, `El reloj marca ahora ${now} (${where}).`);
  },
};

export const clockShow: Command = {
  name: "clock show",
  summary: "Muestra la hora de la instalación",
  options: connectionOptions,
  async run(invocation) {
    const result = isRemote(invocation)
      ? await callTestRoute<ShownClock>(connectionOf(invocation), testClockPath, { method: "GET" })
      : await hereOf(invocation).showClock();
    invocation.out.result(result, `${result.now} (adelantado ${result.offset_ms / 1000} s)`);
  },
};

/** With an address or a key the service is asked; without, the database of this installation. */
function isRemote({ options, env, here }: Invocation): boolean {
  return (
    here === undefined ||
    [options.url, options.key, env.MOSTRADOR_URL, env.MOSTRADOR_API_KEY].some((given) => given !== undefined)
  );
}

function hereOf({ here }: Invocation): Here {
  if (here === undefined) throw new UsageError("Diga cuál servicio, con --url.");
  return here;
}
