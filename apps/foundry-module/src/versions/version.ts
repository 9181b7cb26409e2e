import { tabletop } from '../tabletop/foundry.ts';
import { core12 } from './core12.ts';
import { core13 } from './core13.ts';
import { core14 } from './core14.ts';
import type { CoreVersion } from './core-version.ts';

/** The generation that runs; a later one is taken for 14. */
export function version(): CoreVersion {
  const { generation } = tabletop.game.release;
  return generation >= 14 ? core14 : generation === 13 ? core13 : core12;
}
