import { tabletop } from '../../tabletop/foundry.ts';
import type { RulesSystem, SystemHandlers } from '../system.ts';
import { concentration } from './concentration.ts';
import { details } from './details.ts';
import { items } from './items.ts';
import { purse } from './purse.ts';
import { rests } from './rests.ts';
import { rolls } from './rolls.ts';
import { uses } from './uses.ts';

const operations = {
  ...concentration,
  ...details,
  ...items,
  ...purse,
  ...rests,
  ...rolls,
  ...uses,
} satisfies SystemHandlers;

/** dnd5e from 3.3 to 6.0. */
export const dnd5e: RulesSystem = {
  id: 'dnd5e',
  matches: () => tabletop.game.system.id === 'dnd5e',
  operations,
};
