import type { IncomingHttpHeaders } from 'node:http';

/** Whether the headers announce a body. One in chunks may still turn out to be empty. */
export const announcesBody = (headers: IncomingHttpHeaders): boolean =>
  Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
