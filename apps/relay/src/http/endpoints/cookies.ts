import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Cookie, Cookies } from '../../endpoint-handler.ts';

const isSecure = (publicUrl: string) => publicUrl.startsWith('https:');
// Browsers refuse a __Host- cookie over plain http.
const fullName = (publicUrl: string, name: string) => (isSecure(publicUrl) ? `__Host-${name}` : name);

/** Over https neither another host of the domain nor a page on plain http can have set these cookies. */
export function cookiesOf(request: FastifyRequest, reply: FastifyReply, publicUrl: string): Cookies {
  return {
    read: (name) => readCookie(request, publicUrl, name) ?? '',
    write: (cookie) => void reply.header('set-cookie', setCookie(publicUrl, cookie)),
  };
}

export function readCookie(request: FastifyRequest, publicUrl: string, name: string): string | undefined {
  const pairs = (request.headers.cookie ?? '').split(';');
  const start = `${fullName(publicUrl, name)}=`;
  const pair = pairs.find((text) => text.trimStart().startsWith(start));
  return pair?.slice(pair.indexOf('=') + 1).trim();
}

function setCookie(publicUrl: string, { name, value, maxAgeS, sameSite }: Cookie): string {
  const secure = isSecure(publicUrl) ? '; Secure' : '';
  return `${fullName(publicUrl, name)}=${value}; Path=/; HttpOnly; SameSite=${sameSite}; Max-Age=${maxAgeS}${secure}`;
}
