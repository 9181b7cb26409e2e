import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Endpoints } from '../endpoint.ts';
import { id, pageOf, pageQuery, time } from '../fields.ts';

const AdminAccount = Type.Object({
  id,
  email: Type.String(),
  createdAt: time,
  isAdministrator: Type.Boolean(),
  hasSecondFactor: Type.Boolean(),
  rotationRequired: Type.Boolean(),
  disabled: Type.Boolean(),
  clients: Type.Integer(),
  apiKeys: Type.Integer(),
});

export const administrationEndpoints = {
  listAccounts: {
    method: 'GET',
    path: '/admin/accounts',
    summary: 'List accounts',
    auth: 'administrator',
    origin: 'same',
    query: pageQuery,
    answer: pageOf(AdminAccount),
  },
  forceRotation: {
    method: 'POST',
    path: '/admin/accounts/:id/force-rotation',
    summary: 'Block an account’s API access until its master key is regenerated',
    auth: 'administrator',
    origin: 'same',
    answer: AdminAccount,
  },
  disableAccount: {
    method: 'POST',
    path: '/admin/accounts/:id/disable',
    summary: 'Disable an account',
    auth: 'administrator',
    origin: 'same',
    answer: AdminAccount,
  },
  enableAccount: {
    method: 'POST',
    path: '/admin/accounts/:id/enable',
    summary: 'Enable an account again',
    auth: 'administrator',
    origin: 'same',
    answer: AdminAccount,
  },
} as const satisfies Endpoints;

export type AdminAccount = Static<typeof AdminAccount>;
