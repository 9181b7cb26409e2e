import type { OperationName } from '@tabletop-relay/module-sdk';
import type { AllHandlers, SomeHandlers } from '../operations/call.ts';

/** The operations that name the fifth edition's rules. */
export type SystemOperation = Extract<
  OperationName,
  | 'get-actor-details'
  | 'modify-experience'
  | 'skill-check'
  | 'ability-save'
  | 'ability-check'
  | 'death-save'
  | 'get-concentration'
  | 'break-concentration'
  | 'concentration-save'
  | 'short-rest'
  | 'long-rest'
  | 'modify-item-charges'
  | 'equip-item'
  | 'attune-item'
  | 'transfer-currency'
  | 'modify-currency'
  | 'prepare-spell'
  | 'use-ability'
  | 'use-feature'
  | 'use-spell'
  | 'use-item'
>;

/** How a rules system answers all of them. */
export type SystemHandlers = Pick<AllHandlers, SystemOperation>;

/** A rules system, or a part of one: what it lacks falls to the next. */
export interface RulesSystem {
  readonly id: string;
  /** Whether this world plays it. */
  matches(): boolean;
  readonly operations: Partial<SystemHandlers> & SomeHandlers;
}
