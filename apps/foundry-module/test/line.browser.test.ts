import { foundryPairs } from '@tabletop-relay/testing';
import { testLine } from './line-promises.ts';

testLine([foundryPairs[0], foundryPairs[5]]);
