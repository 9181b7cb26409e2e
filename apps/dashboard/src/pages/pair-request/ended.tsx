import type { PairRequest } from '@tabletop-relay/contract';
import { Page } from '../../parts/page.tsx';
import { titleOfWorld } from './asking-world.tsx';

type End = Exclude<PairRequest['status'], 'pending'>;

/** A request that waits for nobody any more. */
export function Ended({ request, status }: { request: PairRequest; status: End }) {
  const name = titleOfWorld(request);
  const isUpgrade = request.clientId !== null;
  const ends: Record<End, [title: string, text: string]> = {
    approved: isUpgrade
      ? ['Approved', `${name} may do what you ticked. Go back to your tabletop; you can close this page.`]
      : [
          'Approved',
          `${name} pairs by itself now: go back to your tabletop. This page changes when it connects.`,
        ],
    denied: ['Denied', `${name} gets nothing. You can close this page.`],
    expired: ['Too late', `The request of ${name} has expired. Press the button in your tabletop again.`],
    exchanged: ['Done', `${name} has what it needs to pair. You find it under Worlds.`],
  };
  const [title, text] = ends[status];
  return (
    <Page title={title} narrow>
      <div role="status">
        <p class="lead">{text}</p>
      </div>
      {status !== 'denied' && status !== 'expired' && (
        <a class="button" href="/dashboard">
          See your worlds
        </a>
      )}
    </Page>
  );
}
