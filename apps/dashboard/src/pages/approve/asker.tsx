import type { KeyRequest } from '@tabletop-relay/contract';
import { Ago } from '../../parts/ago.tsx';

/** The asking program: what it says of itself, and what the relay knows of it. */
export function Asker({ request }: { request: KeyRequest }) {
  const { appName, appDescription, appUrl, callbackHost, requestedFrom } = request;
  const host = URL.parse(appUrl)?.host;
  return (
    <>
      {appDescription && <p class="lead">{appDescription}</p>}
      <dl>
        {host && (
          <>
            <dt>Says it is from</dt>
            <dd>
              <a href={appUrl} target="_blank" rel="noopener noreferrer">
                {host}
              </a>
            </dd>
          </>
        )}
        <dt>Asked</dt>
        <dd>
          <Ago at={request.createdAt} /> from {requestedFrom}
        </dd>
        <dt>Link ends</dt>
        <dd>
          <Ago at={request.expiresAt} />
        </dd>
        {callbackHost && (
          <>
            <dt>Then leads to</dt>
            <dd>{callbackHost}</dd>
          </>
        )}
      </dl>
      {callbackHost && host && callbackHost !== host && (
        <p class="notice warn">
          <strong>The names differ.</strong> It says that it is from {host}, and the key goes to{' '}
          {callbackHost}.
        </p>
      )}
      {[host, callbackHost].filter(isOfOtherLetters).map((name) => (
        <p class="notice warn" key={name}>
          <strong>Read this address twice.</strong> {name} stands for a name with letters beyond a to z, which
          can look like a name that you know.
        </p>
      ))}
      <p>
        Anybody can write the name “{appName}”. Approve only if you have just started this from the program
        yourself.
      </p>
    </>
  );
}

/** Browsers and the relay spell such hosts in ASCII, each part with this mark. */
const isOfOtherLetters = (host: string | null | undefined) => /(^|\.)xn--/.test(host ?? '');
