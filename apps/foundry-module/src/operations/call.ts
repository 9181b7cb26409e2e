import { OperationRefused } from '@tabletop-relay/module-sdk';
import type {
  CommandContext,
  Handlers,
  OperationName,
  OperationResult,
  WireParameters,
} from '@tabletop-relay/module-sdk';
import { findUser } from './acting.ts';
import type { ActingUser } from './acting.ts';

/** What a handler gets of a call beside its parameters. */
export interface Call {
  /** The user whose rights the call has; null: those of the game master. */
  readonly user: ActingUser;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

export type Handler<N extends OperationName> = (
  parameters: WireParameters<N>,
  call: Call,
) => OperationResult<N> | Promise<OperationResult<N>>;

/** One handler for each operation of the contract: one that is missing is an error of types. */
export type AllHandlers = { readonly [N in OperationName]: Handler<N> };

/** Those of a group. */
export type SomeHandlers = Partial<AllHandlers>;

/** The one way to a handler: finds whom it acts for, and tells the tabletop's own refusals as what they are. */
export function guardAll(handlers: AllHandlers): Handlers {
  const all = handlers as unknown as Record<string, (parameters: object, call: Call) => unknown>;
  const guarded = Object.keys(all).map((name) => {
    const handle = async (parameters: object, { userId, signal }: CommandContext) => {
      const user = userId === undefined ? null : findUser(userId);
      try {
        return await all[name]!(parameters, { user, signal });
      } catch (error) {
        throw refusalOf(error) ?? error;
      }
    };
    return [name, handle] as const;
  });
  return Object.fromEntries(guarded);
}

/** What the tabletop itself refuses: data that do not fit a document, and what its server does not let this browser do. */
function refusalOf(error: unknown): OperationRefused | undefined {
  if (!(error instanceof Error) || error instanceof OperationRefused) return undefined;
  const { name, message } = error;
  if (/validation/i.test(name) || /validation error/i.test(message)) {
    return new OperationRefused(message, 'invalid_data');
  }
  if (/lacks permission|do(es)? not have permission|may not/i.test(message)) {
    return new OperationRefused(message, 'permission_denied');
  }
  if (/locked compendium/i.test(message)) return new OperationRefused(message, 'not_allowed');
  return undefined;
}

export const vetoed = (what: string): OperationRefused =>
  new OperationRefused(`${what} was refused by another module or the rules system`, 'vetoed');
