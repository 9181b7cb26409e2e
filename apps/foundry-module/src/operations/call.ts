import { OperationRefused } from '@tabletop-relay/module-sdk';
import type {
  CommandContext,
  Handlers,
  OperationName,
  OperationResult,
  WireParameters,
} from '@tabletop-relay/module-sdk';
import type { ActingUser } from './acting.ts';

/** What a handler gets of a call beside its parameters. */
export interface Call {
  /** The user whose rights the call has; null: those of the game master. */
  readonly user: ActingUser;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** The code that was looked at and let through: no other may run. Undefined where none was found. */
  readonly code: string | undefined;
}

export type Handler<N extends OperationName> = (
  parameters: WireParameters<N>,
  call: Call,
) => OperationResult<N> | Promise<OperationResult<N>>;

/** One handler for each operation of the contract: one that is missing is an error of types. */
export type AllHandlers = { readonly [N in OperationName]: Handler<N> };

/** Those of a group. */
export type SomeHandlers = Partial<AllHandlers>;

/** A call as it comes to the one way that leads to a handler. */
export interface GuardedCall {
  readonly name: OperationName;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly context: CommandContext;
}

/** Decides whether a call is carried out, and in whose name: throws, or answers what `run` answers. */
export type Guard = (
  call: GuardedCall,
  run: (allowed: Pick<Call, 'user' | 'code'>) => Promise<unknown>,
) => Promise<unknown>;

/** The one way to a handler: by the guard, and telling the tabletop's own refusals as what they are. */
export function guardAll(handlers: AllHandlers, guard: Guard): Handlers {
  const all = handlers as unknown as Record<string, (parameters: object, call: Call) => unknown>;
  const guarded = Object.keys(all).map((name) => {
    const handle = (parameters: object, context: CommandContext) => {
      const call = {
        name: name as OperationName,
        parameters: parameters as GuardedCall['parameters'],
        context,
      };
      return guard(call, async (allowed) => {
        try {
          return await all[name]!(parameters, { ...allowed, signal: context.signal });
        } catch (error) {
          throw refusalOf(error) ?? error;
        }
      });
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
