import { commandLine, listOperations, operationGroups } from '../../../packages/contract/src/index.ts';
import type { Operation, OperationGroup } from '../../../packages/contract/src/index.ts';
import { commands } from '../../../packages/cli/src/commands/index.ts';
import type { OwnFlag } from '../../../packages/cli/src/arguments/flags.ts';
import { channels } from '../../../packages/cli/src/generated/commands.ts';
import { code, codes, page, table } from '../markdown.ts';

const intro = `The guide is [from a shell](../from-a-shell.md). \`tabletop <command> --help\` tells of each command.`;

const ofOperations = `Each operation is a command: \`tabletop <group> <operation>\`, with a flag for each parameter. The
[operations](operations.md) say what a parameter means; \`actorUuid\` is \`--actor-uuid\`. Beside them each takes \`--world\`, \`--as\`, and, where it
changes something, \`--idempotency-key\`. One that may destroy something needs \`--yes\` where nobody can be asked.`;

/** `docs/reference/command-line.md`. */
export function commandLinePage(): string {
  const groups = Object.values<OperationGroup>(operationGroups);
  return page(
    'Command line',
    '`packages/cli/src` and `packages/contract/src/operations`',
    intro,
    '## Commands',
    ...Object.entries(commands).flatMap(([name, { usage, summary, description, flags }]) => [
      `### ${name}`,
      `\`tabletop ${[name, usage].filter(Boolean).join(' ')}\``,
      `${summary}. ${description ?? ''}`.trim(),
      table(
        ['flag', 'meaning'],
        flags.map((flag) => [code(flagText(flag)), flag.says]),
      ),
    ]),
    '## Channels',
    table(
      ['`tabletop listen`', 'does', 'flags'],
      Object.entries(channels).map(([name, { summary, flags }]) => [
        `[${name}](events.md)`,
        summary,
        codes(flags.map(({ flag }) => `--${flag}`)),
      ]),
    ),
    '## Operations',
    ofOperations,
    ...groups.flatMap((group) => [
      `### ${group.title}`,
      table(['does', 'example'], listOperations(group).map(operationRow)),
    ]),
  );
}

const flagText = ({ flag, value }: OwnFlag) => `--${flag}${value === undefined ? '' : ` <${value}>`}`;

function operationRow(operation: Operation): string[] {
  const line = commandLine(operation, { parameters: operation.example.parameters });
  return [`[${operation.summary}](operations.md#${operation.name})`, code(shellLine(line))];
}

/** A command line as a person types it. What is secret is read from standard input. */
const shellLine = (line: readonly string[]): string => ['tabletop', ...line.map(quoted)].join(' ');

const quoted = (argument: string): string =>
  /^[\w./:@=,+-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", String.raw`'\''`)}'`;
