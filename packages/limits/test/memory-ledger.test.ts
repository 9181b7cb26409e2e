import { describeLedger } from './conformance.ts';
import { createLedgerMemory, createMemoryLedger } from '../src/ledger/memory-ledger.ts';

describeLedger('the memory of one process', () => {
  const memory = createLedgerMemory();
  return Promise.resolve({
    createLedger: (boot) => createMemoryLedger(boot, memory),
    close: () => Promise.resolve(),
  });
});
