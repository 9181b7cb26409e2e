import { UsageError } from '../terminal/failures.ts';
import { write } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';

export const shells = ['bash', 'zsh'] as const;

/** Each asks this program for the words that fit, so that they are those of its version. */
const scripts: Readonly<Record<(typeof shells)[number], string>> = {
  bash: `# Put this into ~/.bashrc: source <(tabletop completion bash)
_tabletop() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do
    [ -n "$word" ] && COMPREPLY+=("$word")
  done < <(tabletop __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _tabletop tabletop
`,
  zsh: `#compdef tabletop
# Put this into ~/.zshrc, after compinit: source <(tabletop completion zsh)
_tabletop() {
  local -a found
  found=("\${(@f)$(tabletop __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  found=(\${found:#})
  if (( \${#found} )); then
    compadd -a found
  else
    _files
  fi
}
compdef _tabletop tabletop
`,
};

/** `tabletop completion bash|zsh`. */
export async function printCompletion([shell = '']: readonly string[], io: Io): Promise<void> {
  const script = Object.hasOwn(scripts, shell) ? scripts[shell as keyof typeof scripts] : undefined;
  if (script === undefined) throw new UsageError(`Usage: tabletop completion <${shells.join('|')}>`);
  await write(io.stdout, script);
}
