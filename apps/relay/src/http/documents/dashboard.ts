import fastifyStatic from '@fastify/static';
import { errors } from '@tabletop-relay/contract';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { prefersMarkdown } from '../../calls/prefers-json.ts';
import { ProblemError } from '../../problem.ts';
import type { PublicUrlOf } from '../public-url.ts';
import { builtHere, pageHeaders } from './page-headers.ts';

/**
 * Serves the pages that were built: the dashboard, the reference of the API, the guides, the overlay of streams, and the page
 * behind every problem's `type`. Which page of the dashboard or the reference it is, is the browser's affair: all paths under one of
 * them, and each link to approve a key or a pairing, answer the same document. A build made after the start is found too. `root` is its folder.
 */
export async function registerDashboard(
  app: FastifyInstance,
  publicUrlOf: PublicUrlOf,
  root: string = builtHere,
): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRequest', (_request, reply, done) => {
      void reply.headers(pageHeaders);
      done();
    });
    // No warning of a folder that is not there yet: the page says that the dashboard is not built.
    await scope.register(fastifyStatic, { root, serve: false, suppressWarning: true, preCompressed: true });
    const options = { schema: { hide: true }, config: { isPage: true } };
    const sendPage = (reply: FastifyReply, file = 'index.html') =>
      existsSync(path.join(root, file))
        ? reply.sendFile(file, { cacheControl: false }).header('cache-control', 'no-cache')
        : reply.code(503).type('text/html; charset=utf-8').send(notBuilt);

    scope.get('/', options, (_request, reply) => reply.redirect('/dashboard'));
    const sendPageOf = (reply: FastifyReply, name: string) => {
      const own = `dashboard/${name}.html`;
      return sendPage(reply, /^[a-z-]+$/.test(name) && existsSync(path.join(root, own)) ? own : undefined);
    };
    scope.get('/dashboard', options, (_request, reply) => sendPageOf(reply, 'tonight'));
    scope.get<{ Params: { '*': string } }>('/dashboard/*', options, ({ params }, reply) =>
      sendPageOf(reply, params['*']),
    );
    scope.get('/dashboard/worlds/:id', options, (_request, reply) => sendPageOf(reply, 'world'));
    scope.get('/approve/:code', options, (_request, reply) => sendPageOf(reply, 'approve'));
    scope.get('/oauth/consent', options, (_request, reply) => sendPageOf(reply, 'consent'));
    scope.get('/oauth/refused', options, (_request, reply) => sendPageOf(reply, 'refused'));
    scope.get('/pair/:code', options, (_request, reply) => sendPageOf(reply, 'pair-request'));
    scope.get<{ Params: { '*': string } }>('/dashboard/assets/*', options, ({ params }, reply) =>
      // Their names change with their content.
      /^[\w.-]+$/.test(params['*'])
        ? reply.sendFile(`assets/${params['*']}`, { maxAge: '1y', immutable: true })
        : reply.callNotFound(),
    );
    scope.get('/docs', options, (_request, reply) => sendPage(reply, 'docs.html'));
    scope.get('/docs/:name', options, (_request, reply) => sendPage(reply, 'docs.html'));
    // Its key stands behind the `#`, so no request tells of it.
    scope.get('/overlay', options, (_request, reply) => sendPage(reply, 'overlay.html'));
    scope.get('/guides', options, (_request, reply) => sendPage(reply, 'guides/index.html'));
    scope.get('/guides/index.json', options, (_request, reply) => sendPage(reply, 'guides/index.json'));
    scope.get('/llms.txt', options, (_request, reply) => sendPage(reply, 'llms.txt'));
    scope.get<{ Params: { name: string } }>(
      '/guides/:name',
      options,
      ({ params: { name }, headers }, reply) => {
        const file = `guides/${name}.html`;
        const isGuide = /^[\w-]+$/.test(name) && existsSync(path.join(root, file));
        void reply.header('vary', 'accept, accept-encoding');
        if (isGuide && prefersMarkdown(headers.accept))
          return sendPage(reply, `guides/${name}.md`).type('text/markdown; charset=utf-8');
        if (isGuide) return sendPage(reply, file);
        throw new ProblemError('not_found', 'No guide has this name. /guides lists them all.');
      },
    );
    scope.get<{ Params: { name: string } }>(
      '/guides/images/:name',
      options,
      ({ params: { name } }, reply) => {
        const file = `guides/images/${name}`;
        if (/^[\w@-]+(\.\w+)+$/.test(name) && existsSync(path.join(root, file))) return sendPage(reply, file);
        throw new ProblemError('not_found', 'No guide shows a picture of this name.');
      },
    );
    // The guide to the module stands here too, with this relay's own address in it.
    scope.get('/module', options, (request, reply) => {
      const page = path.join(root, 'guides/foundry-module.html');
      if (!existsSync(page)) return sendPage(reply, 'guides/foundry-module.html');
      const text = readFileSync(page, 'utf8').replaceAll('https://relay.example', () => publicUrlOf(request));
      return reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(text);
    });
    scope.get('/errors', options, (_request, reply) => sendPage(reply, 'errors/index.html'));
    scope.get<{ Params: { code: string } }>('/errors/:code', options, ({ params: { code } }, reply) => {
      if (Object.hasOwn(errors, code)) return sendPage(reply, `errors/${code}.html`);
      throw new ProblemError('not_found', 'No error has this code. /errors lists them all.');
    });
  });
}

const notBuilt = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Pages not built · Tabletop Relay</title></head>
<body><h1>The pages are not built yet</h1>
<p>The relay itself is up. Run <code>pnpm build</code> in its folder and load this page again.</p>
</body>
</html>`;
