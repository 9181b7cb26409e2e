import type { FastifyReply, FastifyRequest } from 'fastify';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { prefersHtml } from '../../calls/prefers-json.ts';
import { pathOf } from '../paths.ts';
import { builtHere, pageHeaders } from './page-headers.ts';

/** Answers a person who asked for an address that is none; false where a program asked, or no page is built. */
export type AnswerPerson = (request: FastifyRequest, reply: FastifyReply) => boolean;

/**
 * Answers with a page where a browser navigates to what is not there: `text/html` is named in `Accept`, and nothing of the API has
 * the address. A slash too many at its end leads to the address without it.
 */
export function createAnswerPerson(root: string = builtHere): AnswerPerson {
  return (request, reply) => {
    const { method, is404, routeOptions, headers } = request;
    if (!(is404 || routeOptions.config?.isPage === true) || !['GET', 'HEAD'].includes(method)) return false;
    void reply.header('vary', 'accept, accept-encoding');
    if (!prefersHtml(headers.accept)) return false;
    const given = pathOf(request);
    // One slash at the beginning: what begins with two names another host.
    if (/^\/[\w-][\w/-]*\/$/.test(given)) {
      void reply.redirect(given.replace(/\/+$/, ''), 308);
      return true;
    }
    const file = path.join(root, 'not-found.html');
    if (!existsSync(file)) return false;
    void reply
      .code(404)
      .headers(pageHeaders)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .serializer((text: unknown) => String(text))
      .send(readFileSync(file, 'utf8'));
    return true;
  };
}
