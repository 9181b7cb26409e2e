import { hashLongCode, newLongCode } from '../credentials/codes.ts';
import { newId } from '../credentials/id.ts';
import { invalidFields } from '../problem.ts';
import { checkRoomForKeyRequest } from '../accounts/bounds.ts';
import type { AccountDeps } from '../accounts/deps.ts';
import type { Sender } from '../records/sender.ts';
import { keyRequestLifetimeMs } from './key-requests.ts';
import { readPlainText } from '../records/plain-text.ts';

interface NewKeyRequest {
  appName: string;
  appDescription?: string;
  appUrl?: string;
  scopes: string[];
  suggestedMonthlyLimit?: number;
  callbackUrl?: string;
  pollChallenge?: string;
}

/**
 * Anyone may ask; nothing is given before somebody approves. Requests belong to no account, so there is a bound to
 * all of them; throws `overloaded` above it.
 */
export async function createKeyRequest(
  deps: Pick<AccountDeps, 'db' | 'now' | 'bounds' | 'inTurn'>,
  input: NewKeyRequest,
  sender: Sender,
): Promise<{ code: string; expiresAt: Date }> {
  const appName = readPlainText(input.appName, 'appName');
  // Paragraphs are no attack, and are read as one.
  const appDescription = readPlainText(
    (input.appDescription ?? '').replaceAll(/\s+/g, ' ').trim(),
    'appDescription',
  );
  const appUrl = readAppUrl(input.appUrl ?? '');
  checkCallback(input.callbackUrl);
  const code = newLongCode();
  const now = deps.now();
  const expiresAt = new Date(now + keyRequestLifetimeMs);
  const row = {
    id: newId(now),
    codeHash: hashLongCode(code),
    appName,
    appDescription,
    appUrl,
    scopes: [...new Set(input.scopes)],
    suggestedMonthlyLimit: input.suggestedMonthlyLimit ?? null,
    callbackUrl: input.callbackUrl ?? null,
    pollChallenge: input.pollChallenge ?? null,
    requestedFrom: sender.ipAddress,
    expiresAt,
  };
  await deps.inTurn('key requests', () =>
    deps.db.transaction().execute(async (trx) => {
      await checkRoomForKeyRequest(trx, deps.bounds, now);
      await trx.insertInto('keyRequests').values(row).execute();
    }),
  );
  return { code, expiresAt };
}

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * The approving person reads its host and may follow it: no scripts, and no user name, which reads like a host. An
 * address of other alphabets is kept as it is spelled in ASCII, so that a look-alike is seen.
 */
function readAppUrl(text: string): string {
  if (text === '') return '';
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw invalidFields([{ field: 'appUrl', message: 'must be an http or https address without user' }]);
  }
  return /^[\x21-\x7e]+$/.test(text) ? text : url.href;
}

function checkCallback(callbackUrl: string | undefined): void {
  if (callbackUrl === undefined) return;
  const url = URL.parse(callbackUrl);
  const isAllowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback.test(url.hostname));
  if (!isAllowed || url?.username || url?.password || url?.hash) {
    throw invalidFields([
      { field: 'callbackUrl', message: 'must be https, or http on this machine, without user or fragment' },
    ]);
  }
}
