import type { PairRequest } from '@tabletop-relay/contract';
import { Ago } from '../../parts/ago.tsx';

export const titleOfWorld = ({ worldTitle, worldId }: PairRequest): string => worldTitle || worldId;

/** The asking world by its own words, and the address that the relay knows. */
export function AskingWorld({ request }: { request: PairRequest }) {
  const { worldId, worldTitle, systemId, systemTitle, systemVersion, tabletopVersion, origin } = request;
  return (
    <>
      <dl>
        <dt>World</dt>
        <dd>
          {titleOfWorld(request)} {worldTitle !== '' && worldTitle !== worldId && <code>{worldId}</code>}
        </dd>
        {(systemTitle || systemId) && (
          <>
            <dt>Rules</dt>
            <dd>
              {systemTitle || systemId} {systemVersion}
            </dd>
          </>
        )}
        {tabletopVersion && (
          <>
            <dt>Tabletop</dt>
            <dd>version {tabletopVersion}</dd>
          </>
        )}
        {origin && (
          <>
            <dt>Open at</dt>
            <dd>{origin}</dd>
          </>
        )}
        <dt>Asked</dt>
        <dd>
          <Ago at={request.createdAt} /> from {request.requestedFrom}
        </dd>
        <dt>Link ends</dt>
        <dd>
          <Ago at={request.expiresAt} />
        </dd>
      </dl>
      <p>
        Anybody can send this request in the name of “{titleOfWorld(request)}”. Approve it only if you have
        just pressed the button in this world yourself.
      </p>
    </>
  );
}
