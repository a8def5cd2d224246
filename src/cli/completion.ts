import { type Command, UsageError, word } from "./command.ts";

/** Generated from the command table, so that exactly the existing commands are completed. */
export function completionCommand(commands: () => Promise<readonly Command[]>): Command {
  return {
    name: "completion",
    summary: "Escribe el autocompletado de su terminal",
    usage: "bash|zsh   (bash: source <(npx mostrador completion bash))",
    takes: 1,
    async run(invocation) {
      const shell = word(invocation, 0, "la terminal: bash o zsh");
      if (shell !== "bash" && shell !== "zsh")
        throw new UsageError(`No hay autocompletado para "${shell}": use bash o zsh.`);
      const script = completionScript(await commands(), shell);
      invocation.out.result({ shell, script }, script);
    },
  };
}

export function completionScript(commands: readonly Command[], shell: "bash" | "zsh"): string {
  const firsts = [...new Set(commands.map(({ name }) => name.split(" ")[0]!))];
  const seconds = Map.groupBy(
    commands.filter(({ name }) => name.includes(" ")),
    ({ name }) => name.split(" ")[0]!,
  );
  const cases = [
    ...[...seconds].map(
      ([first, family]) => `    "${first}") words="${family.map(({ name }) => name.split(" ")[1]).join(" ")}" ;;`,
    ),
    ...commands.map(({ name, options, flags, words = [] }) => {
      const names = [...Object.keys({ ...options, ...flags }), "json", "help"].map((option) => `--${option}`);
      return `    "${name}"*) words="${[...words, ...names].join(" ")}" ;;`;
    }),
  ];
  const lines = [
    "_mostrador() {",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills it in
    '  local words typed="${COMP_WORDS[*]:1:COMP_CWORD-1}"',
    '  case "$typed" in',
    `    "") words="${firsts.join(" ")} help" ;;`,
    ...cases,
    "  esac",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills it in
    '  COMPREPLY=($(compgen -W "$words" -- "${COMP_WORDS[COMP_CWORD]}"))',
    "}",
    "complete -o default -F _mostrador mostrador",
  ];
  return (shell === "zsh" ? ["autoload -U +X bashcompinit && bashcompinit", ...lines] : lines).join("\n");
}
