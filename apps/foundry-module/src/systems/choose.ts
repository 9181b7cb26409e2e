import { OperationRefused } from '@tabletop-relay/module-sdk';
import { tabletop } from '../tabletop/foundry.ts';
import type { Call } from '../operations/call.ts';
import { dnd5e } from './dnd5e/dnd5e.ts';
import { generic } from './generic.ts';
import type { RulesSystem, SystemHandlers, SystemOperation } from './system.ts';

/** In this order: what other modules brought, what comes with this one, and what any world has. */
const registered: RulesSystem[] = [];
const own: readonly RulesSystem[] = [dnd5e, generic];

export function registerSystem(system: RulesSystem): void {
  if (typeof system?.id !== 'string' || typeof system.matches !== 'function' || !system.operations) {
    throw new TypeError('A rules system has an id, matches() and operations');
  }
  registered.push(system);
}

/** Asks the first system of this world that answers the operation. */
function ask<N extends SystemOperation>(name: N): SystemHandlers[N] {
  const handler = (parameters: never, call: Call): unknown => {
    for (const { matches, operations } of [...registered, ...own]) {
      const handle = operations[name] as ((given: never, at: Call) => unknown) | undefined;
      if (handle && matches()) return handle(parameters, call);
    }
    const { title } = tabletop.game.system;
    throw new OperationRefused(`This world plays ${title}, which does not answer ${name}`, 'wrong_system');
  };
  return handler as unknown as SystemHandlers[N];
}

export const sys5e: SystemHandlers = {
  'get-actor-details': ask('get-actor-details'),
  'modify-experience': ask('modify-experience'),
  'skill-check': ask('skill-check'),
  'ability-save': ask('ability-save'),
  'ability-check': ask('ability-check'),
  'death-save': ask('death-save'),
  'get-concentration': ask('get-concentration'),
  'break-concentration': ask('break-concentration'),
  'concentration-save': ask('concentration-save'),
  'short-rest': ask('short-rest'),
  'long-rest': ask('long-rest'),
  'modify-item-charges': ask('modify-item-charges'),
  'equip-item': ask('equip-item'),
  'attune-item': ask('attune-item'),
  'transfer-currency': ask('transfer-currency'),
  'modify-currency': ask('modify-currency'),
  'prepare-spell': ask('prepare-spell'),
  'use-ability': ask('use-ability'),
  'use-feature': ask('use-feature'),
  'use-spell': ask('use-spell'),
  'use-item': ask('use-item'),
};
