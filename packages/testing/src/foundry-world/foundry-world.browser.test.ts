import { foundryPairs } from './foundry-world.ts';
import { testWorlds } from './world-promises.ts';

testWorlds(foundryPairs.filter((_, index) => index === 0 || index === foundryPairs.length - 1));
