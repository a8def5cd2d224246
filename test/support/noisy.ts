// Loaded into a service by NODE_OPTIONS: on SIGUSR2 it prints whatever a dependency, a thread and Node itself might, and on the
// second one it throws where nobody catches.
import { Worker } from "node:worker_threads";

let isSecond = false;
process.on("SIGUSR2", () => {
  if (isSecond) throw new Error("nadie me atrapó");
  isSecond = true;
  console.log("texto de una\ndependencia %s", "suelta");
  console.error(new Error("otro texto"));
  process.stdout.write("sin salto de línea");
  process.emitWarning("esto va a cambiar", "DeprecationWarning", "DEP9999");
  new Worker('console.error("desde un hilo"); process.emitWarning("un hilo advierte")', { eval: true });
  void Promise.reject(new Error("atrapada")).catch((error: Error) => process.emitWarning(error));
});
