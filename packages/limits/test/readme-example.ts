import assert from 'node:assert/strict';
import { createMemoryLedger, createQuotas } from '@tabletop-relay/limits';

const quotas = createQuotas({ ledger: createMemoryLedger('instance-1') });
const callsPerMinute = quotas.perWindow('calls', 60_000);
await quotas.start();
const first = await callsPerMinute.spend('key-1', 1);
const second = await callsPerMinute.spend('key-1', 1);
assert.equal(first.allowed, true);
assert.equal(second.allowed, false);
await quotas.stop();
