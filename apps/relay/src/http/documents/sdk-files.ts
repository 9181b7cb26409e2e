import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { version } from '@tabletop-relay/process';
import { packWheel } from './python-wheel.ts';
import type { PythonWheel } from './python-wheel.ts';

const packages = path.join(import.meta.dirname, '../../../../../packages');

/** Where the SDKs are. */
export interface SdkFolders {
  /** Where the builds for npm leave their packages, in the order of `fileNames`. */
  npm: readonly string[];
  /** The source of the Python SDK. */
  python: string;
}

const foldersHere: SdkFolders = {
  npm: ['sdk', 'module-sdk'].map((name) => path.join(packages, name, 'dist')),
  python: path.join(packages, 'sdk-python'),
};

/** The package of an SDK as a file. The version is in its name: one name for all would break each lockfile that has it. */
const fileNames = [`tabletop-relay-sdk-${version}.tgz`, `tabletop-relay-module-sdk-${version}.tgz`];

/**
 * Serves the packages of this relay's own SDKs under `/sdk/`, for `npm i ./<file>` and `pip install <address>`. A package that is
 * built after the start is found too; one that is not built is a 404. The wheel for Python is packed when it is first asked for.
 */
export async function registerSdkFiles(app: FastifyInstance, folders = foldersHere): Promise<void> {
  let wheel: PythonWheel | undefined;
  await app.register(async (scope) => {
    await scope.register(fastifyStatic, { root: [...folders.npm], serve: false, suppressWarning: true });
    scope.get<{ Params: { file: string } }>(
      '/sdk/:file',
      { schema: { hide: true } },
      ({ params: { file } }, reply) => {
        if (file.endsWith('.whl')) {
          wheel ??= packWheel(folders.python);
          // Relative, because a relay may stand under a path.
          if (file === wheel?.plainName)
            return reply.header('cache-control', 'no-cache').redirect(wheel.name);
          if (file !== wheel?.name) return reply.callNotFound();
          void reply.header('cache-control', forEver);
          return reply.type('application/octet-stream').send(wheel.bytes);
        }
        const folder = folders.npm[fileNames.indexOf(file)];
        if (folder === undefined || !existsSync(path.join(folder, file))) return reply.callNotFound();
        return reply.sendFile(file, folder, { maxAge: '1y', immutable: true });
      },
    );
  });
}

const forEver = 'public, max-age=31536000, immutable';
