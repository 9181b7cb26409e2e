import { callsOfAccount } from './call-log/calls-of-account.ts';
import { headlessSessionsOfAccount } from './headless/sessions-of-account.ts';
import { countKeys, keysOfAccount } from './keys/keys-of-account.ts';
import { notificationsOfAccount } from './notifications/notifications-of-account.ts';
import { pausesOfAccount } from './pauses/pauses-of-account.ts';
import { countWorlds, worldsOfAccount } from './worlds/worlds-of-account.ts';

/** What the room of the accounts gets from the rooms after it, because each room alone queries its tables. */
export const accountParts = {
  parts: [
    callsOfAccount,
    worldsOfAccount,
    keysOfAccount,
    pausesOfAccount,
    notificationsOfAccount,
    headlessSessionsOfAccount,
  ],
  counts: { clients: countWorlds, apiKeys: countKeys },
};
