import { Type } from 'typebox';
import { scopeNames } from '../../scopes.ts';
import { id } from '../fields.ts';

/** The rights of a paired browser beyond its own world, and the addresses that it may connect from. */
export const browserTerms = {
  allowedTargetClients: Type.Array(id, {
    maxItems: 500,
    description: 'Other worlds that the token may send requests to.',
  }),
  remoteScopes: Type.Array(Type.Enum(scopeNames), {
    maxItems: 50,
    description: 'Scopes that the token holds on other worlds.',
  }),
  ipAllowlist: Type.String({
    maxLength: 4000,
    description: 'Comma-separated addresses and CIDR ranges; empty: from anywhere.',
  }),
};
