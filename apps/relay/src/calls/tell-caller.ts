import { callerKinds } from '@tabletop-relay/contract';
import type { CallerKind, CommandCaller } from '@tabletop-relay/contract';
import type { RelaySecrets } from '@tabletop-relay/database';
import { toPlainText } from '@tabletop-relay/kit';
import { hmacCode } from '../credentials/codes.ts';
import type { Via } from '../call-log/call-row.ts';
import type { Principal } from '../keys/authenticate.ts';
import type { TokenPrincipal } from '../worlds/authenticate-token.ts';

/** Who asks, on the way between instances: never told to a world as it is. */
export interface AskedBy {
  /** The id of the key or of the connection token. */
  holderId: string;
  name: string;
  kind: CallerKind;
  /** Only where an assistant asks. */
  via?: 'mcp';
}

const mostLetters = 60;

/** Who asks with a key, or as another world. */
export function askedBy(caller: Principal | TokenPrincipal, via?: Via): AskedBy {
  if ('tokenId' in caller) return { holderId: caller.tokenId, name: nameFor(caller.name), kind: 'world' };
  const kind = caller.kind === 'master' ? 'masterKey' : 'key';
  const asked = { holderId: caller.keyId, name: nameFor(caller.keyName), kind } as const;
  return via === 'mcp' ? { ...asked, via } : asked;
}

const nameFor = (name: string): string => Array.from(toPlainText(name)).slice(0, mostLetters).join('');

/** What a world that wants it is told of who asks. Another instance says who asks, so a value that fits nothing tells nothing. */
export type TellCaller = (asked: AskedBy | undefined, clientId: string) => CommandCaller | undefined;

/**
 * The id is a pseudonym: the same for one key and one world, for as long as the relay's secret stands, and no two worlds can tell that it is one key.
 */
export function createTellCaller([secret]: RelaySecrets): TellCaller {
  return function tellCaller(asked, clientId) {
    if (!asked || !callerKinds.includes(asked.kind)) return undefined;
    const { holderId, name, kind, via } = asked;
    const id = hmacCode(secret, 'caller', `${clientId}:${holderId}`).toString('base64url').slice(0, 22);
    return { id, name, kind, via: kind === 'world' ? 'module' : via === 'mcp' ? via : 'http' };
  };
}
