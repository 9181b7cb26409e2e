import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { version } from '@tabletop-relay/process';
import { packWheel } from './python-wheel.ts';
import type { PythonWheel } from './python-wheel.ts';

const packages = path.join(import.meta.dirname, '../../../../../packages');

/** A file that the build of a package leaves in its `dist`. */
interface Built {
  /** The folder under `packages`. */
  folder: string;
  file: string;
  /**
   * The name with the version and a digest of the bytes, which is theirs for ever; the file's own name then leads to it. Without
   * it the file's own name has the version, and is theirs for ever.
   */
  nameOf?: (digest: string) => string;
}

/** What `/sdk/` has. The version is in each name: one name for all would break each lockfile that has it. */
const served: readonly Built[] = [
  { folder: 'sdk', file: `tabletop-relay-sdk-${version}.tgz` },
  { folder: 'module-sdk', file: `tabletop-relay-module-sdk-${version}.tgz` },
  { folder: 'cli', file: 'tabletop.mjs', nameOf: (digest) => `tabletop-${version}-${digest}.mjs` },
  {
    folder: 'cli',
    file: `tabletop-relay-cli-${version}.tgz`,
    nameOf: (digest) => `tabletop-relay-cli-${version}-${digest}.tgz`,
  },
];

/**
 * Serves the SDKs, the command line and the like of this relay's own version under `/sdk/`, for `npm i ./<file>`, `pip install
 * <address>` and `curl`. What is built after the start is found too; what is not built is a 404. The wheel for Python is packed when
 * it is first asked for.
 * @param root the folder of the packages
 */
export async function registerSdkFiles(app: FastifyInstance, root: string = packages): Promise<void> {
  const folderOf = ({ folder }: Built) => path.join(root, folder, 'dist');
  const digestOf = createDigests();
  let wheel: PythonWheel | undefined;
  await app.register(async (scope) => {
    const folders = [...new Set(served.map(folderOf))];
    await scope.register(fastifyStatic, { root: folders, serve: false, suppressWarning: true });
    scope.get<{ Params: { file: string } }>(
      '/sdk/:file',
      { schema: { hide: true } },
      async ({ params: { file } }, reply) => {
        // Relative, because a relay may stand under a path.
        const leadTo = (name: string) => reply.header('cache-control', 'no-cache').redirect(name);
        if (file.endsWith('.whl')) {
          wheel ??= packWheel(path.join(root, 'sdk-python'));
          if (file === wheel?.plainName) return leadTo(wheel.name);
          if (file !== wheel?.name) return reply.callNotFound();
          void reply.header('cache-control', forEver);
          return reply.type('application/octet-stream').send(wheel.bytes);
        }
        for (const built of served) {
          const isNamed = file === built.file;
          const at = path.join(folderOf(built), built.file);
          if ((!isNamed && !built.nameOf) || !existsSync(at)) continue;
          const name = built.nameOf?.(await digestOf(at)) ?? built.file;
          if (file === name)
            return reply.sendFile(built.file, folderOf(built), { maxAge: '1y', immutable: true });
          if (isNamed) return leadTo(name);
        }
        return reply.callNotFound();
      },
    );
  });
}

const forEver = 'public, max-age=31536000, immutable';

/** Digests of files, each read anew only where it was written since. */
function createDigests(): (file: string) => Promise<string> {
  const known = new Map<string, { mark: string; digest: string }>();
  return async (file) => {
    const { mtimeMs, size } = await stat(file);
    const mark = `${mtimeMs} ${size}`;
    const found = known.get(file);
    if (found?.mark === mark) return found.digest;
    const digest = createHash('sha256')
      .update(await readFile(file))
      .digest('hex')
      .slice(0, 12);
    known.set(file, { mark, digest });
    return digest;
  };
}
