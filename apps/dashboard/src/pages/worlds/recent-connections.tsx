import { useSignal } from '@preact/signals';
import type { ConnectionLog } from '@tabletop-relay/contract';
import { useEffect } from 'preact/hooks';
import { api } from '../../request.ts';
import { findWorld } from '../../store.ts';
import { fromConnection } from '../activity/entries.tsx';
import { EntryRow } from '../activity/entry-row.tsx';

/** The last attempts to connect as this world; read again when it comes or goes. */
export function RecentConnections({ clientId }: { clientId: string }) {
  const logs = useSignal<ConnectionLog[]>([]);
  const isOnline = findWorld(clientId)?.isOnline;
  useEffect(() => {
    void api
      .listConnectionLogs({ client: clientId, limit: 3 })
      .then(({ items }) => (logs.value = items))
      // A list that is only of interest stays as it was.
      .catch(() => undefined);
  }, [clientId, isOnline]);
  if (logs.value.length === 0) return null;
  return (
    <section>
      <div class="section-head">
        <h2>Last connections</h2>
        <a href={`/dashboard/activity?world=${clientId}`}>All activity of this world</a>
      </div>
      <ul class="rows">
        {logs.value.map((log) => (
          <EntryRow entry={fromConnection(log)} key={log.id} />
        ))}
      </ul>
    </section>
  );
}
