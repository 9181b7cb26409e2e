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

const doctorLine = [
  'doctor [--session]',
  'looks at settings, stores, clocks, the public address and mail',
] as const;

function printUsage(): string {
  const lines = [
    doctorLine,
    ...Object.entries(commands).map(
      ([name, { takes, summary }]) => [`${name} ${takes}`.trim(), summary] as const,
    ),
  ];
  const width = Math.max(...lines.map(([call]) => call.length));
  return [
    'usage: pnpm admin <command> [--json]',
    '',
    ...lines.map(([call, summary]) => `  ${call.padEnd(width)}  ${summary}`),
  ].join('\n');
}

/**
 * The operator's command line. Running instances hear of a change within a second or two. Answers what to print; throws
 * with the usage for what is no command, or has too few or too many arguments.
 */
export async function runAdminCommand(deps: AdminDeps, args: readonly string[]): Promise<string> {
  const { command, values, isJson } = readArguments(args);
  const { text, json } = await command.run(deps, values);
  return isJson ? JSON.stringify(json, undefined, 2) : text;
}

/** Throws with the usage before anything is opened. */
export function readArguments(args: readonly string[]) {
  const { values, positionals } = parse(args);
  const [name = '', ...rest] = positionals;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const takes = command?.takes.match(/<[^>]+>|\[[^\]]+\]/g) ?? [];
  const needed = takes.filter((one) => one.startsWith('<')).length;
  if (!command || rest.length < needed || rest.length > takes.length || rest.includes(''))
    throw new Error(printUsage());
  return { command, values: rest, isJson: values.json };
}

function parse(args: readonly string[]) {
  try {
    const options = { json: { type: 'boolean', default: false } } as const;
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\n${printUsage()}`, { cause: error });
  }
}
