import { isLoopback } from '../words/address.ts';
import { account } from '../request.ts';

const isOpenToRead = location.protocol === 'http:' && !isLoopback(location.hostname);

/** Warnings that stand on every page. */
export function Warnings() {
  return (
    <>
      {isOpenToRead && (
        <p class="band">
          This page came over plain http: others on the network can read your password and keys. Ask the
          operator for an https address.
        </p>
      )}
      {account.value?.rotationRequired && account.value.secondFactor !== 'missing' && (
        <p class="band">
          API access is blocked until you <a href="/dashboard/account#rotate">regenerate the master key</a>.
        </p>
      )}
      {account.value?.disabled && (
        <p class="band">This account is disabled. Ask the operator of this relay.</p>
      )}
    </>
  );
}
