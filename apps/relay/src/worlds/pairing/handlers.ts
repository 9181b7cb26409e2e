import type { pairingEndpoints } from '@tabletop-relay/contract';
import { hashSecret, kindOfSecret } from '../../credentials/secret.ts';
import type { HandlersOf, Sender } from '../../endpoint-handler.ts';
import { auditOf } from '../../records/sender.ts';
import { codeLifetimeMs, createPairingCode } from './pairing-codes.ts';
import { pair } from './pair.ts';
import type { PairingDeps } from './pair.ts';

export const pairingHandlers = (deps: PairingDeps): HandlersOf<typeof pairingEndpoints> => ({
  async createPairingCode({ body }, { session, sender }) {
    const { code, expiresAt } = await createPairingCode(deps, { session, body, sender });
    return { code, expiresIn: codeLifetimeMs / 1000, expiresAt: expiresAt.toISOString() };
  },

  pair: ({ body }, { sender, origin, publicUrl }) =>
    pair(deps, { body, origin, sender, relayUrl: `${publicUrl.replace(/^http/, 'ws')}/relay` }),

  async selfUnpair({ body }, { sender }) {
    await unpair(deps, body.token, sender);
    return { success: true };
  },
});

async function unpair(
  deps: Pick<PairingDeps, 'feed' | 'records'>,
  token: string,
  sender: Sender,
): Promise<void> {
  if (kindOfSecret(token) !== 'connectionToken') return;
  await deps.feed.change(async (trx, announce) => {
    const row = await trx
      .deleteFrom('connectionTokens')
      .where('hash', '=', hashSecret(token))
      .returning(['id', 'accountId', 'clientId'])
      .executeTakeFirst();
    if (!row) return;
    announce({ accountId: row.accountId, subject: 'token', subjectId: row.id, change: 'given_back' });
    await deps.records.auditIn(trx, {
      accountId: row.accountId,
      event: 'connection_token.given_back',
      actor: 'token',
      clientId: row.clientId,
      subjectId: row.id,
      ...auditOf(sender),
    });
  });
}
