import { foundryPairs } from '@tabletop-relay/testing';
import { testTrust } from './trust-promises.ts';

testTrust([foundryPairs[0], foundryPairs[5]]);
