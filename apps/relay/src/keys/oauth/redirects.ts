import { isLoopbackHost } from '@tabletop-relay/process';

/**
 * The private-use addresses that are taken (RFC 8252, section 7.1), letter by letter: any program of a computer can claim such a scheme,
 * so each is one that a known program documents. Its code is of no use without the verifier.
 */
const privateUseRedirects: ReadonlySet<string> = new Set([
  // Cursor: https://cursor.com/docs/context/mcp
  'cursor://anysphere.cursor-mcp/oauth/callback',
]);

const maxLength = 1_000;

const answerNames = ['code', 'state', 'iss', 'error'];

/** Visible ASCII: what a person is shown is what the browser opens. */
const visible = /^[\x21-\x7e]+$/;

/** Whether sign-ins may lead to this address: https, http on this machine, or private-use and known. */
export function mayLeadTo(text: string): boolean {
  if (text.length > maxLength || !visible.test(text)) return false;
  if (privateUseRedirects.has(text)) return true;
  const url = URL.parse(text);
  if (!url || url.username || url.password || text.includes('#')) return false;
  // The answer would stand beside it, and nobody says which one is read.
  if (answerNames.some((name) => url.searchParams.has(name))) return false;
  return url.protocol === 'https:' || isLoopback(url);
}

const isLoopback = ({ protocol, hostname }: URL): boolean => protocol === 'http:' && isLoopbackHost(hostname);

/** Whether a request names a registered address: letter by letter, on the machine itself at any port (RFC 8252, section 7.3). */
export function isRegistered(registered: readonly string[], given: string): boolean {
  if (!mayLeadTo(given)) return false;
  if (registered.includes(given)) return true;
  const portless = withoutPort(given);
  return portless !== undefined && registered.some((one) => withoutPort(one) === portless);
}

/** Whether an address is the relay's own: its page would be named as who asks, and the code would come to nobody. */
export const leadsToUs = (issuer: string, redirectUri: string): boolean =>
  new URL(redirectUri).origin === new URL(issuer).origin;

/** Undefined where the address is not on the machine itself. */
function withoutPort(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !isLoopback(url)) return undefined;
  url.port = '';
  return url.href;
}

/** The host of an address that is taken, in ASCII; null: a program on the person's computer. */
export function hostOf(redirectUri: string): string | null {
  const url = new URL(redirectUri);
  return url.protocol === 'https:' ? url.host : null;
}

/** As people read it in lists. */
export const placeOf = (redirectUri: string): string => hostOf(redirectUri) ?? 'a program on a computer';
