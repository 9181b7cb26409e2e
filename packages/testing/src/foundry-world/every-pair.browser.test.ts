import { foundryPairs } from './foundry-world.ts';
import { testWorlds } from './world-promises.ts';

testWorlds(foundryPairs);
