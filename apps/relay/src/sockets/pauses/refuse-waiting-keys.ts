import type { CredentialFeed } from '../../credentials/changes/credential-feed.ts';
import type { RefusalOfKey } from '../../keys/key-refusal.ts';
import type { ConnectedClients } from '../connected-clients.ts';

export interface RefuseWaitingKeysDeps {
  feed: Pick<CredentialFeed, 'subscribe'>;
  clients: Pick<ConnectedClients, 'byAccount'>;
  refusalOfKey: RefusalOfKey;
}

/**
 * Refuses the calls of a key that was paused or revoked, where they wait for their world's first answer: here, whatever instance they
 * came to. Returns what ends that.
 */
export function refuseWaitingKeys({ feed, clients, refusalOfKey }: RefuseWaitingKeysDeps): () => void {
  return feed.subscribe('key', ({ accountId, subject, subjectId }) => {
    if (subject !== 'key') return;
    const waiting = [...clients.byAccount(accountId)].filter(({ calls }) => calls.isAwaitedBy(subjectId));
    if (waiting.length === 0) return;
    void refusalOfKey(subjectId).then((problem) => {
      if (problem) for (const { calls } of waiting) calls.refuseWaiting(problem, subjectId);
    });
  });
}
