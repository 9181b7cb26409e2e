import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Limit } from '../../limits/limits.ts';
import { countByAddress, limitRate } from '../../limits/rate-limit.ts';
import { ProblemError } from '../../problem.ts';
import type { PublicUrlOf } from '../public-url.ts';
import { packModule } from './module-package.ts';
import type { ModulePackage } from './module-package.ts';
import { isKnown } from './prepared-document.ts';

export interface ModuleFilesOptions {
  publicUrlOf: PublicUrlOf;
  /** Of these and of the API's documents together, per address. */
  limit: Limit;
  /** Told of each download whose address carries a word of an account, where it was sent whole. Never rejects. */
  noteDownload(word: string, part: 'manifest' | 'package'): Promise<void>;
  /** Folder of the module's build; the workspace's own unless named. */
  folder?: string;
}

const builtHere = path.join(import.meta.dirname, '../../../../foundry-module/dist');

/** Without PUBLIC_URL a relay has as many addresses as loopback has names and ports. */
const mostAddresses = 8;

/**
 * Serves the module for Foundry: its manifest and its zip. Whoever installs it asks from their tabletop's server, without a
 * session, so it is open to all. A build made after the start is found too.
 */
export function registerModuleFiles(app: FastifyInstance, options: ModuleFilesOptions): void {
  const { publicUrlOf, noteDownload, folder = builtHere, limit } = options;
  const packages = new LRUCache<string, ModulePackage>({ max: mostAddresses });
  const packageFor = (request: FastifyRequest): ModulePackage => {
    const address = publicUrlOf(request);
    const found = packages.get(address) ?? packModule(folder, address);
    if (!found) {
      throw new ProblemError(
        'not_found',
        'The module is not built here. Run `pnpm build` in the relay’s folder.',
      );
    }
    packages.set(address, found);
    return found;
  };
  const route = {
    schema: { hide: true },
    config: { anyOrigin: true },
    onRequest: limitRate(app, countByAddress('documents', limit)),
  };

  const sendManifest = async (request: FastifyRequest, reply: FastifyReply, word?: string) => {
    const text = packageFor(request).manifest(word);
    const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
    void reply.headers({ etag, 'cache-control': 'no-cache' });
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
    if (word && request.method === 'GET') await noteDownload(word, 'manifest');
    return reply.type('application/json; charset=utf-8').send(text);
  };

  const sendZip = async (request: FastifyRequest, reply: FastifyReply, file: string, word?: string) => {
    const { zipName, zip } = packageFor(request);
    if (file !== zipName) {
      // While a relay rolls, the manifest of one instance names a zip that another has not yet, or no more.
      void reply.header('retry-after', '60');
      throw new ProblemError(
        'not_found',
        'This relay serves another version now. Ask for the manifest again.',
      );
    }
    const etag = `"${zipName}"`;
    // A cache on the way would keep downloads from the account whose word it is.
    void reply.headers({ etag, 'cache-control': word ? 'no-cache' : 'public, max-age=86400' });
    if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
    if (word && request.method === 'GET') await noteDownload(word, 'package');
    return reply.type('application/zip').send(zip);
  };

  app.get('/module/module.json', route, (request, reply) => sendManifest(request, reply));
  app.get<{ Params: { file: string } }>('/module/:file', route, (request, reply) =>
    sendZip(request, reply, request.params.file),
  );
  app.get<{ Params: { word: string; file: string } }>('/module/:word/:file', route, (request, reply) => {
    const { word, file } = request.params;
    return file === 'module.json' ? sendManifest(request, reply, word) : sendZip(request, reply, file, word);
  });
}
