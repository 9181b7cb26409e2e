import { readPayload, shorten } from '@tabletop-relay/contract';
import type { FieldError, Operation, Scope } from '@tabletop-relay/contract';
import { authorize } from '../../keys/authenticate.ts';
import { invalidFields, ProblemError } from '../../problem.ts';
import { textIn } from '../../sockets/frames/frame-fields.ts';
import type { TokenPrincipal } from '../../worlds/authenticate-token.ts';
import { commandOf } from '../command.ts';
import type { Command } from '../command.ts';
import { checkReach } from '../choose-client.ts';
import { idempotencyKeyFault, isIdempotencyKey } from '../idempotency-key.ts';

/** What a module asks of another world. */
export interface RemoteRequest {
  requestId: string;
  targetClientId: string;
  action: string;
  /** The operation, or why the request cannot be served whoever sends it. */
  operation: Operation | ProblemError;
  payload: unknown;
  /** By which the module may repeat it. */
  idempotencyKey?: string | undefined;
  /** As the module sent it: not checked. */
  traceparent?: unknown;
  /** Set where the request is traced. */
  traceId?: string | undefined;
  /** Names of the payload that the command was made without. Set once it was made. */
  ignored?: string[] | undefined;
  /** Set where its answer is that of an earlier one under its key. */
  isReplayed?: boolean;
}

const longestId = 128;

/** So many names are told of that stand for nothing, as over HTTP. */
const maxIgnored = 20;

export type ReadRequest = (frame: Record<string, unknown>, ownClientId: string) => RemoteRequest;

export function createReadRequest(operations: readonly Operation[]): ReadRequest {
  const byName = new Map(operations.map((operation) => [operation.name, operation]));

  return function readRequest(frame, ownClientId) {
    const requestId = textIn(frame, 'requestId');
    const targetClientId = textIn(frame, 'targetClientId').slice(0, longestId);
    const action = textIn(frame, 'action').slice(0, longestId);
    const { payload, traceparent } = frame;
    const idempotencyKey = isIdempotencyKey(frame['idempotencyKey']) ? frame['idempotencyKey'] : undefined;
    const request = { requestId, targetClientId, action, payload, traceparent, idempotencyKey };
    const faults = faultsOf(frame, ownClientId);
    const operation =
      faults.length > 0
        ? invalidFields(faults)
        : (byName.get(action) ??
          new ProblemError('not_found', `There is no operation ${action}. Nothing was sent.`));
    return { ...request, operation };
  };
}

function faultsOf(frame: Record<string, unknown>, ownClientId: string): FieldError[] {
  const faults: FieldError[] = (['requestId', 'targetClientId', 'action'] as const)
    .filter((field) => typeof frame[field] !== 'string' || textIn(frame, field) === '')
    .map((field) => ({ field, message: 'is missing, or is no short text' }));
  if (frame['targetClientId'] === ownClientId)
    faults.push({ field: 'targetClientId', message: 'must be another world: this is the module’s own' });
  // Without it the command would have the game master's rights.
  if (frame['userId'] !== undefined) faults.push({ field: 'userId', message: 'belongs in the payload' });
  // Sent without it, a repeat would be another command.
  if (frame['idempotencyKey'] !== undefined && !isIdempotencyKey(frame['idempotencyKey']))
    faults.push({ field: 'idempotencyKey', message: idempotencyKeyFault });
  return faults;
}

/** Throws the request's own fault, else what the token lacks, as HTTP does for a key: the scope, or the world. */
export function authorizeRequest(
  principal: TokenPrincipal,
  { operation, targetClientId }: RemoteRequest,
): void {
  if (operation instanceof ProblemError) throw operation;
  authorize(principal, operation.scope);
  checkReach(principal.allowedTargetClients, targetClientId, 'token');
}

/** A request that may be sent. */
interface ReadCommand extends Command {
  /** Its parameters by their wire names. */
  wire: Record<string, unknown>;
  /** The scopes that it needed. */
  scopes: readonly Scope[];
  /** Names of the payload that stand for nothing. */
  ignored: string[];
}

/**
 * Throws `invalid_request` where the payload does not fit the operation, `scope_missing` where it needs another scope, and
 * `acting_user_fixed` where it names another user than that of the token.
 */
export function readCommand(
  operation: Operation,
  request: RemoteRequest,
  principal: TokenPrincipal,
): ReadCommand {
  const { payload, targetClientId } = request;
  const reading = readPayload(operation, payload);
  if (!reading.ok) throw invalidFields(reading.errors);
  const named = (payload as { clientId?: unknown } | null | undefined)?.clientId;
  if (named !== undefined && named !== targetClientId)
    throw invalidFields([{ field: 'clientId', message: 'differs from targetClientId' }]);
  const { wire } = reading;
  const scopes = [operation.scope, ...(operation.scopesFor?.(wire) ?? [])];
  for (const scope of scopes) authorize(principal, scope);
  return {
    ...commandOf(operation, { wire, givenUserId: wire['userId'] }, principal, targetClientId),
    wire,
    scopes,
    ignored: reading.ignored.slice(0, maxIgnored).map(shorten),
  };
}
