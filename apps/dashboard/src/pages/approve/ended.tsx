import type { KeyRequest } from '@tabletop-relay/contract';
import { Page } from '../../parts/page.tsx';

/** A request that waits for nobody any more. */
export function Ended({ request, status }: { request: KeyRequest; status: KeyRequest['status'] }) {
  const { appName, callbackHost } = request;
  const isGoing = callbackHost !== null && (status === 'approved' || status === 'denied');
  const ends: Record<KeyRequest['status'], [title: string, text: string]> = {
    pending: ['Waiting', ''],
    approved: ['Approved', `${appName} collects its key now: go back to it. You can close this page.`],
    denied: ['Denied', `${appName} gets no key. You can close this page.`],
    expired: ['Too late', `The request of ${appName} has expired. Start again from the program.`],
    exchanged: ['Done', `${appName} has its key. You find it under Keys.`],
  };
  const [title, text] = ends[status];
  return (
    <Page title={title} narrow>
      <div role="status">
        <p class="lead">{isGoing ? `Going back to ${callbackHost}…` : text}</p>
      </div>
      {(status === 'approved' || status === 'exchanged') && (
        <a class="button" href="/dashboard/keys">
          See your keys
        </a>
      )}
    </Page>
  );
}
