import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The files of an archive, by their names. */
export function filesIn(archive: Buffer): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), "mostrador-archive-"));
  const path = join(folder, "archive.zip");
  writeFileSync(path, archive);
  const script =
    "import json,sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); print(json.dumps({n: z.read(n).decode() for n in z.namelist()}))";
  return JSON.parse(execFileSync("python3", ["-c", script, path], { encoding: "utf8", maxBuffer: 1e9 }));
}
