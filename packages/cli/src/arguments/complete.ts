import { commands } from '../commands/index.ts';
import { findOperation, ownFlagsOf } from '../commands/operation.ts';
import type { OwnFlag } from './flags.ts';
import { channels, groupOf, groups, scopes } from '../generated/commands.ts';
import { shells } from '../commands/completion.ts';
import type { FlagRow } from './table.ts';

/** The words that may stand where the last of these begins, of which the shell takes those that fit. */
export function complete(words: readonly string[]): string[] {
  const [command = '', ...rest] = words;
  const typed = words.at(-1) ?? '';
  return candidates(command, rest).filter((word) => word.startsWith(typed) && word !== typed);
}

function candidates(command: string, rest: readonly string[]): string[] {
  if (rest.length === 0) return [...Object.keys(commands), ...Object.keys(groups), '--help', '--version'];
  const [first = '', ...after] = rest;
  if (Object.hasOwn(groups, command)) {
    if (after.length === 0) return [...Object.keys(groups[command]?.operations() ?? {}), '--help'];
    const operation = findOperation(first, command);
    return operation ? wordsOf(after, ownFlagsOf(operation), operation.flags) : [];
  }
  const own = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (!own) return [];
  if (command === 'listen' && after.length === 0) return [...Object.keys(channels), '--help'];
  if (command === 'call' && after.length === 0) return [...Object.keys(groupOf), '--help'];
  if (command === 'completion' && after.length === 0) return [...shells];
  const channel = command === 'listen' && Object.hasOwn(channels, first) ? channels[first] : undefined;
  if (rest.at(-2) === '--until') return [...(channel?.events ?? [])];
  if (rest.at(-2) === '--scopes') return Object.keys(scopes);
  return wordsOf(rest, own.flags, channel?.flags ?? []);
}

/** Flags, or the values of the flag before. */
function wordsOf(rest: readonly string[], own: readonly OwnFlag[], rows: readonly FlagRow[]): string[] {
  const before = rest.at(-2) ?? '';
  const row = rows.find(({ flag }) => before === `--${flag}`);
  if (row && row.type !== 'flag') return [...(row.choices ?? [])];
  // The shell's own completion of files.
  if (own.some(({ flag, value }) => value !== undefined && before === `--${flag}`)) return [];
  if (!(rest.at(-1) ?? '').startsWith('-')) return [];
  return [
    ...rows.flatMap(({ flag, type }) => (type === 'flag' ? [`--${flag}`, `--no-${flag}`] : [`--${flag}`])),
    ...own.map(({ flag }) => `--${flag}`),
  ];
}
