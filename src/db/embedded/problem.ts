import { statfs } from "node:fs/promises";

/** Why the embedded PostgreSQL cannot run: one line in Spanish that says what to do. */
export class EmbeddedPostgresError extends Error {
  override name = "EmbeddedPostgresError";
}

/** Turns a file system error into an EmbeddedPostgresError; any other error is returned unchanged. */
export function fileProblem(error: unknown, directory: string): unknown {
  const { code, path } = error as NodeJS.ErrnoException;
  const line = code && fileProblems[code];
  return line ? new EmbeddedPostgresError(line(path ?? directory), { cause: error }) : error;
}

const fileProblems: Record<string, (path: string) => string> = {
  ENOSPC: noSpace,
  EDQUOT: noSpace,
  EACCES: noPermission,
  EPERM: noPermission,
  EROFS: (path) => `El disco de «${path}» es de solo lectura: elija otro directorio con DATA_DIR.`,
  ENOTDIR: notADirectory,
  EEXIST: notADirectory,
  ENAMETOOLONG: tooLong,
};

/** PostgreSQL keeps paths in buffers of 1024 bytes, and appends names shorter than 64. */
const maxDataPathBytes = 1024 - 64;

export function refuseTooLong(path: string): void {
  if (Buffer.byteLength(path) > maxDataPathBytes) throw new EmbeddedPostgresError(tooLong(path));
}

/** Explains why initdb or postgres failed, from its output; on a full disk it may not have written any. */
export async function serverProblem(output: string, home: string, line: (decisive: string) => string): Promise<Error> {
  const { bavail, bsize } = await statfs(home);
  if (/No space left on device|Disk quota exceeded/.test(output) || bavail * bsize < 1_000_000) {
    return new EmbeddedPostgresError(noSpace(home));
  }
  const decisive = decisiveLine(output);
  if (/error while loading shared libraries|Library not loaded/.test(output)) {
    return new EmbeddedPostgresError(
      `A PostgreSQL le falta una biblioteca (${decisive}): borre node_modules y vuelva a iniciar con «npm start».`,
    );
  }
  const [, madeBy, ours] = /initialized by PostgreSQL version (\S+?),.* this version (\d+)/.exec(output) ?? [];
  if (madeBy) {
    return new EmbeddedPostgresError(
      `Los datos en «${home}» son de PostgreSQL ${madeBy} y esta versión trae el ${ours}, que no los lee. No se cambió nada: páselos como dice docs/operations.md («A new major of the embedded PostgreSQL»), o vuelva a la versión anterior de Mostrador.`,
    );
  }
  return new EmbeddedPostgresError(line(decisive));
}

function decisiveLine(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const decisive = lines.findLast((line) => /\b(FATAL|PANIC)\b|error:/.test(line)) ?? lines.at(-1);
  return (decisive ?? "terminó sin decir por qué").replace(/^.*?(?=FATAL|PANIC|error:)/, "").replace(/\.$/, "");
}

function noSpace(path: string): string {
  return `No queda espacio en el disco de «${path}»: libere espacio y vuelva a iniciar.`;
}

function noPermission(path: string): string {
  return `Este usuario no puede leer o escribir «${path}»: use el usuario del servicio, corrija los permisos o elija otro directorio con DATA_DIR.`;
}

function notADirectory(path: string): string {
  return `«${path}» no es un directorio: muévalo o elija otro directorio con DATA_DIR.`;
}

function tooLong(path: string): string {
  return `La ruta de los datos es demasiado larga («${path.slice(0, 60)}…»): elija una más corta con DATA_DIR.`;
}
