import type { OperationName } from '@tabletop-relay/contract';
import { inventory } from './inventory.ts';
import { canvas } from './canvas.ts';
import { concentration } from './concentration.ts';
import { encounters } from './encounters.ts';
import type { OperationHandlers } from './handler.ts';
import { movement } from './movement.ts';
import { reading } from './reading.ts';
import { rests } from './rests.ts';
import { rolls } from './rolls.ts';
import { use } from './use.ts';

/** The world's handler of each operation of the contract. */
export const operationHandlers: OperationHandlers<OperationName> = {
  ...encounters,
  ...movement,
  ...reading,
  ...rolls,
  ...rests,
  ...concentration,
  ...inventory,
  ...use,
  ...canvas,
};
