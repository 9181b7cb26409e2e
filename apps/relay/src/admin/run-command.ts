import { parseArgs } from 'node:util';
import { accountCommands } from './account-commands.ts';
import type { AdminCommand, AdminDeps } from './command.ts';
import { instanceCommands } from './instance-commands.ts';
import { worldCommands } from './world-commands.ts';

const commands: Readonly<Record<string, AdminCommand>> = {
  ...accountCommands,
  ...worldCommands,
  ...instanceCommands,
};

const doctor = {
  takes: '[--session <token>]',
  summary: 'looks at settings, stores, clocks, the public address and mail',
};

/** Usage of the command of that name, or of all. */
function printUsage(name = ''): string {
  const all: Readonly<Record<string, Pick<AdminCommand, 'takes' | 'summary'>>> = { doctor, ...commands };
  const one = Object.hasOwn(all, name) ? all[name] : undefined;
  if (one) return `usage: pnpm admin ${`${name} ${one.takes}`.trim()} [--json]\n\n${one.summary}`;
  const lines = Object.entries(all).map(
    ([known, { takes, summary }]) => [`${known} ${takes}`.trim(), summary] as const,
  );
  const width = Math.max(...lines.map(([call]) => call.length));
  return [
    'usage: pnpm admin <command> [--json]',
    '',
    ...lines.map(([call, summary]) => `  ${call.padEnd(width)}  ${summary}`),
    '',
    '`pnpm admin <command> --help` prints one of them. Each is described in docs/operations/admin.md.',
  ].join('\n');
}

/** Usage, where the arguments ask for it and for nothing else. It needs no settings and no store. */
export function readHelp(args: readonly string[]): string | undefined {
  const [first = '', second = ''] = args;
  if (first === 'help') return printUsage(second);
  return args.some((one) => one === '--help' || one === '-h') ? printUsage(first) : undefined;
}

/**
 * The operator's command line. Running instances hear of a change within a second or two. Answers what to print; throws
 * with the usage for what is no command, or has too few or too many arguments.
 */
export async function runAdminCommand(deps: AdminDeps, args: readonly string[]): Promise<string> {
  const { command, values, isJson, boot } = readArguments(args);
  const { text, json } = await command.run(deps, values, boot);
  return isJson ? JSON.stringify(json, undefined, 2) : text;
}

/** Throws with the usage before anything is opened. */
export function readArguments(args: readonly string[]) {
  const { values, positionals } = parse(args);
  const [name = '', ...rest] = positionals;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const takesBoot = command?.takes.includes('--boot') ?? false;
  const takes = command?.takes.replace(/\[--[^\]]+\]/, '').match(/<[^>]+>|\[[^\]]+\]/g) ?? [];
  const needed = takes.filter((one) => one.startsWith('<')).length;
  if (!command || rest.length < needed || rest.length > takes.length || rest.includes(''))
    throw new Error(printUsage());
  if (values.boot !== undefined && !takesBoot) throw new Error(printUsage(name));
  return { command, values: rest, isJson: values.json, boot: values.boot };
}

function parse(args: readonly string[]) {
  try {
    const options = { json: { type: 'boolean', default: false }, boot: { type: 'string' } } as const;
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\n${printUsage()}`, { cause: error });
  }
}
