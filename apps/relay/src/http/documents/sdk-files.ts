import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { version } from '@tabletop-relay/process';

const packages = path.join(import.meta.dirname, '../../../../../packages');
/** Where the build of each SDK leaves its package, by the package's name. */
const foldersHere = ['sdk', 'module-sdk'].map((name) => path.join(packages, name, 'dist'));

/** The package of an SDK as a file. The version is in its name: one name for all would break each lockfile that has it. */
const fileNames = [`tabletop-relay-sdk-${version}.tgz`, `tabletop-relay-module-sdk-${version}.tgz`];

/**
 * Serves the packages of this relay's own SDKs under `/sdk/`, for `npm i ./<file>`. A package that is built after the start
 * is found too; one that is not built is a 404. `folders` has one for each file.
 */
export async function registerSdkFiles(
  app: FastifyInstance,
  folders: readonly string[] = foldersHere,
): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(fastifyStatic, { root: [...folders], serve: false, suppressWarning: true });
    scope.get<{ Params: { file: string } }>(
      '/sdk/:file',
      { schema: { hide: true } },
      ({ params: { file } }, reply) => {
        const folder = folders[fileNames.indexOf(file)];
        if (folder === undefined || !existsSync(path.join(folder, file))) return reply.callNotFound();
        return reply.sendFile(file, folder, { maxAge: '1y', immutable: true });
      },
    );
  });
}
