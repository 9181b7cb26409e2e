export {
  addressBlock,
  addressPrefixes,
  normalizeAddress,
  parseIpAllowlist,
  type AddressPrefix,
  type IpAllowlist,
} from './addresses.ts';
export { Budget, type GiveBack, type Owner } from './budget.ts';
export { createGate, type Gate, type GateOptions, type TurnedAway } from './gate.ts';
export { hasHiddenCharacters, readPlainText, toPlainText } from './plain-text.ts';
export { createSlices, type Slices } from './slices.ts';
