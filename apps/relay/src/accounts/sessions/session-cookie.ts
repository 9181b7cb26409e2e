import type { Cookies } from '../../endpoint-handler.ts';
import type { NewSession } from './create-session.ts';

export const sessionCookie = 'trs';

/** The browser keeps it as long as the session can live; whether it was used meanwhile, the relay knows. */
export function setSessionCookie(cookies: Cookies, { token, maxAgeS }: NewSession): void {
  cookies.write({ name: sessionCookie, value: token, maxAgeS, sameSite: 'Lax' });
}

export function clearSessionCookie(cookies: Cookies): void {
  cookies.write({ name: sessionCookie, value: '', maxAgeS: 0, sameSite: 'Lax' });
}
