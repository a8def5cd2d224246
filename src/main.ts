import { runCli } from "./cli/run.ts";

// The only file that acts on import.
const code = await runCli(process.argv.slice(2), process.env);
if (code !== 0) process.exit(code);
