import type { IncomingHttpHeaders } from 'node:http';

/** The credential of `Authorization: Bearer`, as programs write it; undefined: none. */
export const bearerOf = ({ authorization }: IncomingHttpHeaders): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
