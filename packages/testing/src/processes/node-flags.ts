import { readFileSync } from 'node:fs';

const file = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8');
const { scripts } = JSON.parse(file) as { scripts: Record<string, string> };

/** The flags of a script's last command, whose program is Node: `pnpm relay` gives V8 those of a long-lived process. */
export function nodeFlagsOf(script: 'relay' | 'start'): string[] {
  const command = scripts[script]?.split('&&').at(-1) ?? '';
  return command.split(' ').filter((word) => word.startsWith('--'));
}
