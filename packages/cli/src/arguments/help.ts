import { commands } from '../commands/index.ts';
import type { OwnCommand } from '../commands/index.ts';
import { ownFlagsOf } from '../commands/operation.ts';
import type { OwnFlag } from './flags.ts';
import { channels, groups } from '../generated/commands.ts';
import type { ChannelRow, FlagRow, GroupRow, OperationCommand } from './table.ts';
import { version } from '../version.ts';

/** Help is in the program: nothing is asked of a relay for it. */

const columns = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.min(28, Math.max(...rows.map(([name]) => name.length)));
  return rows
    .map(([name, says]) =>
      name.length > width ? `  ${name}\n  ${' '.repeat(width)}  ${says}` : `  ${name.padEnd(width)}  ${says}`,
    )
    .join('\n');
};

/** `tabletop --help`. */
export function overview(): string {
  return `tabletop ${version}: calls a world through its relay

Usage: tabletop <command> [flags]

${columns(Object.entries(commands).map(([name, { summary }]) => [name, summary]))}

Operations: tabletop <group> <operation> [flags]

${columns(Object.entries(groups).map(([name, { title }]) => [name, title]))}

Of each: tabletop <command> --help
`;
}

/** `tabletop listen --help`. */
export function commandHelp(name: string, { usage, summary, description, flags }: OwnCommand): string {
  const listed =
    name === 'listen'
      ? `\nChannels:\n\n${columns(Object.entries(channels).map(([channel, row]) => [channel, row.summary]))}\n`
      : '';
  return `${summary}.${description ? ` ${description}` : ''}

Usage: tabletop ${name}${usage === '' ? '' : ` ${usage}`} [flags]
${listed}
${columns(flags.map(ownRow))}
`;
}

/** `tabletop listen rolls --help`. */
export function channelHelp(name: string, { summary, description, flags, events }: ChannelRow): string {
  return `${summary}.${description ? ` ${description}` : ''}

Usage: tabletop listen ${name} [flags]

${columns([...flags.map(flagRow), ...(commands['listen']?.flags ?? []).map(ownRow)])}

Events: connected, gap, client-offline, client-online, paused, resumed${events.map((event) => `, ${event}`).join('')}
`;
}

/** `tabletop encounters --help`. */
export function groupHelp(name: string, { title, operations }: GroupRow): string {
  const rows = Object.entries(operations()).map(([operation, { summary }]) => [operation, summary] as const);
  return `${title}.

Usage: tabletop ${name} <operation> [flags]

${columns(rows)}
`;
}

const effects = {
  adds: 'It adds to the world.',
  changes: 'It changes the world.',
  destroys: 'It may destroy what is there, so it asks, or needs --yes.',
};

/** `tabletop encounters next-turn --help`. */
export function operationHelp(group: string, name: string, operation: OperationCommand): string {
  const { summary, description, scope, effect, flags, rules = [], request } = operation;
  const facts = [
    effect ? effects[effect] : 'It only reads.',
    `Scope ${scope}.`,
    ...(request.answersFile ? ['It answers a file.'] : []),
    ...rules,
  ];
  return `${summary}.${description ? ` ${description}` : ''}

Usage: tabletop ${group} ${name} [flags]

${facts.join('\n')}

${columns([...flags.map(flagRow), ...ownFlagsOf(operation).map(ownRow)])}
`;
}

const ownRow = ({ flag, value, says }: OwnFlag): [string, string] => [
  `--${flag}${value === undefined ? '' : ` <${value}>`}`,
  says,
];

function flagRow(row: FlagRow): [string, string] {
  const { flag, type, choices, isRequired, description, preset, from, byCommas } = row;
  const value = {
    text: from === undefined ? 'text' : { file: '@file', script: 'text|@file', secret: '@file' }[from],
    texts: byCommas ? 'a,b' : 'text',
    number: 'number',
    json: 'json|@file',
    flag: '',
  }[type];
  const notes = [
    isRequired ? 'Needed.' : '',
    description ?? '',
    choices && !choices.every((choice) => description?.includes(`\`${choice}\``))
      ? `One of ${choices.join(', ')}.`
      : '',
    preset === undefined ? '' : `Else ${preset}.`,
    type === 'texts' && !byCommas ? 'May be repeated.' : '',
  ];
  const no = preset === 'true' ? '[no-]' : '';
  return [`--${no}${flag}${value === '' ? '' : ` <${value}>`}`, notes.filter(Boolean).join(' ')];
}
