import type { auditEvents } from './audit-events.ts';
import type { DataOf, RequiredNames } from './fields.ts';

type Events = typeof auditEvents;
type Declared = keyof Events;

/** The names that stand in the log: `module.*` is any name with this beginning. */
type Recorded<E extends Declared> = E extends `${infer Subject}.*` ? `${Subject}.${string}` : E;

type ActorPart<A extends readonly unknown[]> = A extends readonly [infer Only]
  ? { actor?: Only }
  : { actor: A[number] };

type DetailPart<F extends Events[Declared]['detail']> = [RequiredNames<F>] extends [never]
  ? { detail?: DataOf<F> }
  : { detail: DataOf<F> };

/** The part of an audit record that its event's declaration decides: name, actor and detail. */
export type AuditRecordOf<E extends Declared> = E extends Declared
  ? { event: Recorded<E> } & ActorPart<Events[E]['actors']> & DetailPart<Events[E]['detail']>
  : never;

/** That part of any declared event. */
export type DeclaredAuditRecord = AuditRecordOf<Declared>;
