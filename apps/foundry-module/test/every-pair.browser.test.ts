import { foundryPairs } from '@tabletop-relay/testing';
import { testConformance } from './conformance/conformance-promises.ts';
import { testLine } from './line-promises.ts';
import { testTrust } from './trust/trust-promises.ts';

testLine(foundryPairs.slice(1, -1));
testConformance(foundryPairs.slice(1, -1));
testTrust(foundryPairs.slice(1, -1));
