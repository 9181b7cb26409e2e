import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Endpoints } from '../endpoint.ts';
import { nullable, time } from '../fields.ts';

const ModuleInstall = Type.Object(
  {
    manifestUrl: Type.String({
      description:
        'For “Install Module” of the tabletop. It carries a random word of this account, which opens nothing: by it the account sees its own downloads and no others.',
    }),
    expiresAt: nullable(time, {
      description:
        'When the word is forgotten; the address works on. Null: there is none now, and the address is the plain one.',
    }),
    manifestAt: nullable(time, { description: 'When the manifest was asked for last at this address.' }),
    packageAt: nullable(time, { description: 'When the module itself was downloaded last by it.' }),
  },
  { title: 'ModuleInstall' },
);

export const moduleInstallEndpoints = {
  createModuleInstall: {
    method: 'POST',
    path: '/auth/module-install',
    summary: 'Get an address to install the module from',
    description: 'For an hour. Until then it is the one that was made before.',
    auth: 'session',
    origin: 'same',
    limit: 'accountChanges',
    secretAnswer: true,
    answer: ModuleInstall,
  },
  getModuleInstall: {
    method: 'GET',
    path: '/auth/module-install',
    summary: 'See whether the module was downloaded',
    description:
      'Of the address that was made last, by whatever instance it was asked for. Without one it is the plain address of the manifest.',
    auth: 'session',
    origin: 'same',
    secretAnswer: true,
    answer: ModuleInstall,
  },
} as const satisfies Endpoints;

export type ModuleInstall = Static<typeof ModuleInstall>;
