export {
  addressBlock,
  addressPrefixes,
  normalizeAddress,
  parseIpAllowlist,
  type AddressPrefix,
  type IpAllowlist,
} from './addresses.ts';
export { Budget, type GiveBack, type Owner } from './budget.ts';
export {
  createFairGate,
  type FairGate,
  type FairGateOptions,
  type PaceMs,
  type Waiter,
} from './fair-gate.ts';
export type { Group } from './fair-queue.ts';
export { createGate, type Gate, type GateOptions, type TurnedAway } from './gate.ts';
export { paged, type Page, type PageRead, type PageRequest } from './paging.ts';
export { hasHiddenCharacters, readPlainText, toPlainText } from './plain-text.ts';
export { createSlices, type Slices } from './slices.ts';
