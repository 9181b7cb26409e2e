import { scopeNames } from '@tabletop-relay/contract';
import { StartError } from '@tabletop-relay/database';
import { createAccountClient, RelayError } from '@tabletop-relay/sdk';
import type { AccountClient } from '@tabletop-relay/sdk';
import { randomInt } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** The demo account's sign-in and key, kept in the data folder between starts. */
export interface DemoAccount {
  email: string;
  password: string;
  apiKey: string;
  /** Of the game master at the demo world's own log-in page. */
  worldPassword: string;
  /** The key in the overlay's link: it stands in an address, so it can do no more than the overlay needs. */
  overlay?: { clientId: string; actingUserId: string; apiKey: string };
}

export interface Demo {
  account: DemoAccount;
  /** Makes the demo world's pairing code. */
  createPairingCode(): Promise<string>;
  /** The key of the overlay that shows this world, made if there is none. */
  overlayKey(clientId: string): Promise<string>;
}

const overlayScopes = ['events:subscribe', 'encounter:read', 'entity:read'] as const;

/** The player of the demo world whose eyes viewers borrow. */
const viewer = 'ben';

/**
 * The demo account of a relay: registered at the first start, even where registration is closed; then it goes
 * through the same API as everybody. What was deleted or changed by hand since then is made again where possible.
 */
export async function openDemo(
  relayUrl: string,
  dataDir: string,
  register: (credentials: { email: string; password: string }) => Promise<string>,
): Promise<Demo> {
  const file = path.join(dataDir, 'demo-account.json');
  const stored = await readStored(file);
  const fresh = {
    email: 'demo@localhost',
    password: newPassword(),
    apiKey: '',
    worldPassword: newPassword(),
  };
  const account: DemoAccount = { ...fresh, ...stored };
  let signedIn: Promise<AccountClient> | undefined;
  const client = () =>
    (signedIn ??= (stored === undefined ? register(account) : signIn(relayUrl, account)).then((session) =>
      createAccountClient({ url: relayUrl, headers: { authorization: `Bearer ${session}` } }),
    ));
  if (!(await isKeyValid(relayUrl, account.apiKey))) {
    account.apiKey = (await (await client()).createApiKey({ name: 'Demo key', scopes: scopeNames })).apiKey;
  }
  const save = () => writeFile(file, JSON.stringify(account, null, 2), { mode: 0o600 });
  await save();
  return {
    account,
    createPairingCode: async () => (await (await client()).createPairingCode()).code,
    async overlayKey(clientId) {
      const { overlay } = account;
      const isForIt = overlay?.clientId === clientId && overlay.actingUserId === viewer;
      if (isForIt && (await isKeyValid(relayUrl, overlay.apiKey))) return overlay.apiKey;
      const key = {
        name: 'Stream overlay',
        scopes: [...overlayScopes],
        clientIds: [clientId],
        actingUserId: viewer,
      };
      const { apiKey } = await (await client()).createApiKey(key);
      account.overlay = { clientId, actingUserId: viewer, apiKey };
      await save();
      return apiKey;
    },
  };
}

async function signIn(relayUrl: string, { email, password }: DemoAccount): Promise<string> {
  return (await createAccountClient({ url: relayUrl }).login({ email, password })).sessionToken;
}

/** A key that may not list the worlds is valid all the same. */
async function isKeyValid(relayUrl: string, apiKey: string): Promise<boolean> {
  if (!apiKey) return false;
  const client = createAccountClient({ url: relayUrl, headers: { 'x-api-key': apiKey } });
  return await client.listClients().then(
    () => true,
    (error: unknown) => error instanceof RelayError && error.code === 'scope_missing',
  );
}

async function readStored(file: string): Promise<Partial<DemoAccount> | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Partial<DemoAccount>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if (!(error instanceof SyntaxError)) throw error;
    throw new StartError(`${file} is not JSON: restore it, or choose another DATA_DIR`);
  }
}

/** Three groups that can be typed from a screen: 75 bits. */
function newPassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const group = () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('');
  return [group(), group(), group()].join('-');
}
