import { RelayError } from '@tabletop-relay/sdk';
import type { RelayFile } from '@tabletop-relay/sdk';
import { commonFlags, connectionOf, relayOf, textOf, worldFlag } from '../connection.ts';
import { refusedBySdk, UsageError } from '../terminal/failures.ts';
import { checkRequired, parametersOf, parseJson, readFlags, textAt } from '../arguments/flags.ts';
import type { Given, OwnFlag } from '../arguments/flags.ts';
import { groupOf, groups } from '../generated/commands.ts';
import { withoutControls } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { answer, answerFile } from '../terminal/output.ts';
import type { OperationCommand } from '../arguments/table.ts';

export const asFlag: OwnFlag = {
  flag: 'as',
  value: 'user',
  says: 'Id or name of the user to act as; without it the call has the game master’s rights.',
};

const yesFlag: OwnFlag = { flag: 'yes', says: 'Do it without a question: it may destroy what is there.' };

export const outputFlag: OwnFlag = {
  flag: 'output',
  value: 'file',
  says: 'Where the file goes that is answered; - is standard output.',
};

const keyFlag: OwnFlag = {
  flag: 'idempotency-key',
  value: 'text',
  says: 'Of your own, new for each command: under it the relay sends the command once, however often it is repeated.',
};

/** The flags of an operation that are none of its parameters. */
export function ownFlagsOf({ effect, request }: OperationCommand): OwnFlag[] {
  return [
    worldFlag,
    asFlag,
    ...(effect === 'destroys' ? [yesFlag] : []),
    ...(effect ? [keyFlag] : []),
    ...(request.answersFile ? [outputFlag] : []),
    ...commonFlags,
  ];
}

/** The operation of that name; with a group only one of that group. */
export function findOperation(name: string, group = groupOf[name]): OperationCommand | undefined {
  if (group === undefined || !Object.hasOwn(groups, group)) return undefined;
  const operations = groups[group]?.operations() ?? {};
  return Object.hasOwn(operations, name) ? operations[name] : undefined;
}

/** `tabletop <group> <operation> --flag value`. */
export async function runOperation(
  operation: OperationCommand,
  args: readonly string[],
  io: Io,
): Promise<void> {
  const given = readFlags(args, ownFlagsOf(operation), operation.flags);
  const [extra] = given.positionals;
  if (extra !== undefined) throw new UsageError(`Unexpected argument ${JSON.stringify(extra)}. See --help.`);
  const parameters = await parametersOf(operation.flags, given, io);
  checkRequired(operation.flags, parameters);
  await ask(operation, { given, parameters }, io);
}

export const callFlags: readonly OwnFlag[] = [
  worldFlag,
  asFlag,
  yesFlag,
  keyFlag,
  outputFlag,
  ...commonFlags,
];

/** `tabletop call <operation> '{json}'`, for programs that have JSON. */
export async function runCall(args: readonly string[], io: Io): Promise<void> {
  const given = readFlags(args, callFlags);
  const [name = '', text = '{}', extra] = given.positionals;
  const operation = findOperation(name.includes('.') ? (name.split('.')[1] ?? '') : name);
  if (!operation || extra !== undefined) {
    throw new UsageError(
      name === ''
        ? 'Usage: tabletop call <operation> \'{"parameter": "value"}\''
        : `There is no operation ${JSON.stringify(name)}${extra === undefined ? '' : ', or its parameters are not one text'}. See: tabletop --help`,
    );
  }
  const parameters = parseJson('parameters', await textAt(text === '-' ? '@-' : text, io));
  if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters))
    throw new UsageError('The parameters of a call are one JSON object.');
  checkSecrets(operation, text, parameters);
  await ask(operation, { given, parameters: parameters as Record<string, unknown> }, io);
}

/** What is secret comes from a file or standard input: others read command lines. */
function checkSecrets({ flags }: OperationCommand, text: string, parameters: object): void {
  if (text.startsWith('@') || text === '-') return;
  const secret = flags.find(
    ({ from, parameter }) => from === 'secret' && Object.hasOwn(parameters, parameter),
  );
  if (!secret) return;
  throw new UsageError(
    `${secret.parameter} is a secret, and every program of this machine can read command lines: give the JSON as @file, or as - from standard input.`,
  );
}

interface Asked {
  given: Given;
  parameters: Record<string, unknown>;
  /** The operation destroys only where this says so. */
  isHarmless?: boolean;
}

/** Asks one operation and returns what it answered: JSON, or a file where it has one and nobody asked for JSON. */
export async function call(
  operation: OperationCommand,
  { given, parameters, isHarmless = false }: Asked,
  io: Io,
): Promise<object> {
  const { flags } = given;
  if (operation.effect === 'destroys' && !isHarmless && flags['yes'] !== true) await confirm(operation, io);
  const idempotencyKey = textOf(flags['idempotency-key']);
  if (idempotencyKey !== undefined && !operation.effect)
    throw new UsageError('--idempotency-key is for commands: what only reads may always be repeated.');
  const { answersFile, ...asJson } = operation.request;
  const request = answersFile && flags['json'] !== true ? operation.request : asJson;
  const relay = relayOf({ ...connectionOf(given, io), world: textOf(flags['world']), request });
  const userId = textOf(flags['as']);
  try {
    return await relay.cli.call(parameters, {
      signal: io.signal,
      ...(userId === undefined ? {} : { userId }),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    });
  } catch (error) {
    if (error instanceof RelayError && !operation.effect) throw new QueryFailed(error);
    // Only a value that cannot stand in a path.
    throw error instanceof RangeError ? refusedBySdk(error) : error;
  }
}

async function ask(operation: OperationCommand, asked: Asked, io: Io): Promise<void> {
  const answered = await call(operation, asked, io);
  const { flags } = asked.given;
  const asJson = flags['json'] === true;
  if (!operation.request.answersFile || asJson) await answer(io, answered, { asJson });
  else await answerFile(io, answered as RelayFile, { output: textOf(flags['output']), asJson });
}

/** What only reads failed: whatever is unknown of it, nothing was changed. */
export class QueryFailed extends Error {
  override readonly name = 'QueryFailed';
  override readonly cause: RelayError;

  constructor(cause: RelayError) {
    super(cause.message);
    this.cause = cause;
  }
}

async function confirm({ summary }: OperationCommand, io: Io): Promise<void> {
  const question = `${summary}: this may destroy what is there, and no other command brings it back.`;
  if (!io.stdin.isTTY || !io.stderr.isTTY) throw new UsageError(`${question} Add --yes to do it.`);
  const { createInterface } = await import('node:readline/promises');
  const reader = createInterface({ input: io.stdin, output: io.stderr });
  try {
    const said = await reader.question(`${withoutControls(question)} Go on? [y/N] `, { signal: io.signal });
    if (!/^y(es)?$/i.test(said.trim())) throw new UsageError('Nothing was done.');
  } finally {
    reader.close();
  }
}
