import type { FastifyReply, FastifyRequest } from 'fastify';

const isSecure = (publicUrl: string) => publicUrl.startsWith('https:');
// Browsers refuse a __Host- cookie over plain http.
const fullName = (publicUrl: string, name: string) => (isSecure(publicUrl) ? `__Host-${name}` : name);

interface Cookie {
  name: string;
  value: string;
  maxAgeS: number;
  sameSite: 'Lax' | 'Strict';
}

/** Over https no other host of the domain, and nothing over http, can have set it. */
export function writeCookie(reply: FastifyReply, publicUrl: string, cookie: Cookie): void {
  const attributes = `Path=/; HttpOnly; SameSite=${cookie.sameSite}; Max-Age=${cookie.maxAgeS}`;
  const secure = isSecure(publicUrl) ? '; Secure' : '';
  void reply.header(
    'set-cookie',
    `${fullName(publicUrl, cookie.name)}=${cookie.value}; ${attributes}${secure}`,
  );
}

export function readCookie(request: FastifyRequest, publicUrl: string, name: string): string | undefined {
  const pairs = (request.headers.cookie ?? '').split(';');
  const start = `${fullName(publicUrl, name)}=`;
  const pair = pairs.find((text) => text.trimStart().startsWith(start));
  return pair?.slice(pair.indexOf('=') + 1).trim();
}
