import type { Race } from './arena.ts';
import { accountRaces } from './accounts.ts';
import { keyRequestRaces } from './key-requests.ts';
import { pairingRaces } from './pairings.ts';
import { passwordRaces } from './passwords.ts';
import { streamRaces } from './streams.ts';

export const races: readonly Race[] = [
  ...passwordRaces,
  ...pairingRaces,
  ...keyRequestRaces,
  ...accountRaces,
  ...streamRaces,
];
