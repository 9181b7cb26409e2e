import { Type } from 'typebox';
import type { Static } from 'typebox';
import type { Endpoints } from '../endpoint.ts';
import { actingUserTerms } from '../acting-users.ts';
import { closed, keyClients, monthlyLimit, nullable, scopeList, time } from '../fields.ts';

const SignInRequest = Type.Object(
  {
    clientName: Type.String({ description: 'As the program calls itself: anybody can write any name.' }),
    host: nullable(Type.String(), {
      description: 'Where the sign-in leads, in ASCII; null: to a program on the computer of the browser.',
    }),
    scopes: Type.Array(Type.String(), {
      description: 'What the program asks for, without what nobody is given by a sign-in.',
    }),
    replaces: nullable(Type.Object({ name: Type.String(), createdAt: time }), {
      description: 'The sign-in of the same program that ends with this one; null: there is none.',
    }),
    requestedFrom: Type.String({ description: 'The address that asked.' }),
    status: Type.Enum(['pending', 'approved', 'denied', 'expired', 'exchanged']),
    refusal: nullable(
      Type.Enum(['document_unreachable', 'document_wrong', 'documents_off', 'redirect_unknown', 'busy']),
      {
        description:
          'Why it cannot be decided: what the relay found where the program’s document should be; null: it can.',
      },
    ),
    createdAt: time,
    expiresAt: time,
  },
  { title: 'SignInRequest' },
);

const SignInDecision = Type.Object(
  {
    status: Type.Enum(['approved', 'denied']),
    redirectUrl: Type.String({ description: 'Back to the program, with the code or the refusal.' }),
  },
  { title: 'SignInDecision' },
);

const code = Type.String({
  description: 'From the address of the page. It holds the request, which the relay does not keep.',
  maxLength: 12_000,
});

/** The page on which a person lets an assistant in, or not. Only the browser that opened `/oauth/authorize` may call them. */
export const signInRequestEndpoints = {
  getSignInRequest: {
    method: 'GET',
    path: '/oauth/request',
    summary: 'Show who asks to be signed in',
    auth: 'session',
    origin: 'same',
    query: closed({ code }),
    answer: SignInRequest,
    problems: ['forbidden', 'not_found'],
  },
  approveSignInRequest: {
    method: 'POST',
    path: '/oauth/request/approve',
    summary: 'Sign the program in',
    description:
      'What the program asked for counts for nothing: the terms are those of the body. Audited scopes and `session:manage` are refused.',
    auth: 'session',
    origin: 'same',
    limit: 'accountChanges',
    body: closed({
      code,
      scopes: scopeList,
      clientIds: keyClients,
      ...actingUserTerms,
      monthlyLimit: Type.Optional(nullable(monthlyLimit)),
      expiresAt: Type.Optional(nullable(time)),
    }),
    secretAnswer: true,
    answer: SignInDecision,
    problems: [
      'forbidden',
      'not_found',
      'client_not_found',
      'conflict',
      'code_used',
      'code_expired',
      'rotation_required',
    ],
  },
  denySignInRequest: {
    method: 'POST',
    path: '/oauth/request/deny',
    summary: 'Refuse the program',
    auth: 'session',
    origin: 'same',
    limit: 'accountChanges',
    body: closed({ code }),
    secretAnswer: true,
    answer: SignInDecision,
    problems: ['forbidden', 'not_found', 'conflict', 'code_used', 'code_expired', 'rotation_required'],
  },
} as const satisfies Endpoints;

export type SignInRequest = Static<typeof SignInRequest>;
export type SignInDecision = Static<typeof SignInDecision>;
