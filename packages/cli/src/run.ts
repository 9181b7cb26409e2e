import { commands } from './commands/index.ts';
import { findOperation, QueryFailed, runOperation } from './commands/operation.ts';
import { exitCodeOf, exitCodes, report, UsageError } from './terminal/failures.ts';
import { channels, groupOf, groups } from './generated/commands.ts';
import { write } from './terminal/io.ts';
import type { Io } from './terminal/io.ts';
import { version } from './version.ts';

/** Runs one command line, without the name of the program. Resolves with the code to exit with; never rejects. */
export async function run(args: readonly string[], io: Io): Promise<number> {
  try {
    checkForKeys(args, io);
    await dispatch(args, io);
    return exitCodes.done;
  } catch (thrown) {
    if (io.signal.aborted) return exitCodes.interrupted;
    const isQuery = thrown instanceof QueryFailed;
    const error = isQuery ? thrown.cause : thrown;
    await report(error, io, { asJson: args.includes('--json') });
    return exitCodeOf(error, isQuery);
  }
}

/** Every program of a machine can read command lines. What was given here is not repeated: it may be a key. */
function checkForKeys(args: readonly string[], { env }: Io): void {
  const key = env['TABLETOP_KEY'];
  const isKey = (text: string) =>
    /\btr[a-z]_[A-Za-z0-9]{20,}/.test(text) || (key ? text.includes(key) : false);
  if (!args.some(isKey) || args[0] === '__complete') return;
  throw new UsageError(
    'A key stands on the command line, where every program of this machine can read it. Revoke it, and give keys by `tabletop login`, --with-key or TABLETOP_KEY.',
  );
}

async function dispatch(args: readonly string[], io: Io): Promise<void> {
  const [name = '', ...rest] = args;
  const say = (text: string) => write(io.stdout, text);
  if (name === '__complete') {
    const { complete } = await import('./arguments/complete.ts');
    return await say(
      complete(rest)
        .map((word) => `${word}\n`)
        .join(''),
    );
  }
  if (name === '--version') return await say(`${version}\n`);
  const isHelp = rest.includes('--help') || rest.includes('-h');
  const asksHelp = isHelp || name === '' || ['help', '--help', '-h'].includes(name);
  if (asksHelp) return await say(await helpFor(name, rest));
  const own = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (own) return await own.run(rest, io);
  if (!Object.hasOwn(groups, name)) throw new UsageError(unknownCommand(name));
  const [operation = '', ...flags] = rest;
  if (operation === '') return await say(await helpFor(name, []));
  const found = findOperation(operation, name);
  if (!found) throw new UsageError(unknownOperation(name, operation));
  await runOperation(found, flags, io);
}

async function helpFor(name: string, rest: readonly string[]): Promise<string> {
  const help = await import('./arguments/help.ts');
  const [first = ''] = rest;
  const own = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const channel = Object.hasOwn(channels, first) ? channels[first] : undefined;
  if (name === 'listen' && channel) return help.channelHelp(first, channel);
  if (own) return help.commandHelp(name, own);
  const group = Object.hasOwn(groups, name) ? groups[name] : undefined;
  if (!group) {
    if (['', 'help', '--help', '-h'].includes(name)) return help.overview();
    throw new UsageError(unknownCommand(name));
  }
  const operation = findOperation(first, name);
  if (operation) return help.operationHelp(name, first, operation);
  if (first === '' || first.startsWith('-')) return help.groupHelp(name, group);
  throw new UsageError(unknownOperation(name, first));
}

/** An operation's name is enough to find its group. */
function unknownCommand(name: string): string {
  const group = Object.hasOwn(groupOf, name) ? groupOf[name] : undefined;
  const meant = group === undefined ? '' : ` Did you mean: tabletop ${group} ${name}?`;
  return `There is no command ${JSON.stringify(name)}.${meant} See: tabletop --help`;
}

function unknownOperation(group: string, name: string): string {
  const other = Object.hasOwn(groupOf, name) ? groupOf[name] : undefined;
  const meant = other === undefined ? '' : ` Did you mean: tabletop ${other} ${name}?`;
  return `${group} has no operation ${JSON.stringify(name)}.${meant} See: tabletop ${group} --help`;
}
