import type { FastifyReply, FastifyRequest } from 'fastify';
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { chooseEncoding } from './choose-encoding.ts';
import type { Encoding } from './choose-encoding.ts';

/** Bytes that are made once and sent to everybody, compressed as the request takes them. */
export interface PreparedDocument {
  send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

const brotli = promisify(brotliCompress);
const encoders = {
  br: (text: Buffer) => brotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: promisify(gzip),
};

/** Each form is made off the main thread when somebody first asks for it. */
export function prepareDocument(text: string, type: string): PreparedDocument {
  const plain = Buffer.from(text);
  // Weak: it stands for the text in each of its encodings.
  const etag = `W/"${hash('sha256', plain, 'base64url')}"`;
  const encoded = new Map<Encoding, Promise<Buffer>>();

  function bytesAs(encoding: Encoding): Promise<Buffer> {
    let bytes = encoded.get(encoding);
    if (!bytes) encoded.set(encoding, (bytes = encoders[encoding](plain)));
    return bytes;
  }

  return {
    async send({ headers }, reply) {
      void reply.headers({ etag, vary: 'accept-encoding', 'cache-control': 'no-cache' });
      if (isKnown(headers['if-none-match'], etag)) return reply.code(304).send();
      const encoding = chooseEncoding(headers['accept-encoding']);
      void reply.type(type);
      if (!encoding) return reply.send(plain);
      return reply.header('content-encoding', encoding).send(await bytesAs(encoding));
    },
  };
}

/** Whether who asks has the document already. Proxies that compress weaken a tag, and caches may have turned a weak one into a strong one. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((text) => text.trim() === '*' || opaque(text) === opaque(etag));
}

const opaque = (etag: string): string => etag.trim().replace(/^W\//, '');
