import { readPlainText } from '@tabletop-relay/kit';
import { OutboundError } from '@tabletop-relay/outbound';
import type { AddressGuard } from '@tabletop-relay/outbound';
import { invalidField, invalidFields, ProblemError } from '../problem.ts';

/** Who logs in where. */
export interface Login {
  /** In the one spelling that `readTabletopUrl` gives it. */
  tabletopUrl: string;
  username: string;
  /** Id or title; empty: the world that runs. */
  worldName: string;
}

const bodyNames = { tabletopUrl: 'tabletopUrl', username: 'username', worldName: 'worldName' };

/** Pages of a tabletop that people copy from their address bar. Its start page leads to the right one by itself. */
const innerPage = /\/(?:join|game|setup|auth|license|players)\/?$/;

/** Scheme, host and path of a tabletop in one spelling, so that two starts on one tabletop are seen. */
function readTabletopUrl(text: string, field: string): string {
  const url = URL.parse(text.trim());
  const refuse = (message: string) => invalidFields([{ field, message }]);
  if (!url || !/^https?:$/.test(url.protocol)) throw refuse('must be an http or https address');
  if (url.username || url.password) throw refuse('must not hold a user or password');
  const path = url.pathname.replace(innerPage, '/').replace(/\/+$/, '');
  return url.origin + path;
}

/** Throws `invalid_request` that calls each field as its sender does: by the header, or by the field of the body. */
export function readLogin(
  given: { tabletopUrl: string; username: string; worldName?: string },
  names: Record<keyof Login, string> = bodyNames,
): Login {
  return {
    tabletopUrl: readTabletopUrl(given.tabletopUrl, names.tabletopUrl),
    username: readPlainText(given.username, invalidField(names.username)),
    worldName: given.worldName ? readPlainText(given.worldName, invalidField(names.worldName)) : '',
  };
}

const resolveWithinMs = 5_000;

/**
 * Throws `url_not_allowed` for an address that the operator does not open. The browser host checks every connection of the
 * page again, so a name that leads elsewhere later opens nothing: this only tells the caller early.
 */
export async function checkTabletopAddress(guard: AddressGuard, tabletopUrl: string): Promise<void> {
  const { hostname } = new URL(tabletopUrl);
  try {
    await guard.resolve(hostname, AbortSignal.timeout(resolveWithinMs));
  } catch (cause) {
    if (cause instanceof OutboundError && cause.failure === 'address_refused') {
      throw new ProblemError(
        'url_not_allowed',
        `${hostname} leads to an address that is not public, and the operator of this relay does not allow it.`,
        { cause },
      );
    }
    throw new ProblemError('url_not_allowed', `${hostname} has no address that could be found.`, { cause });
  }
}
