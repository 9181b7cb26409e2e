import { foundryPairs } from '@tabletop-relay/testing';
import { testConformance } from './conformance-promises.ts';

testConformance([foundryPairs[0], foundryPairs[5]]);
