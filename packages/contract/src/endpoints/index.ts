import { accountEndpoints } from './accounts/account.ts';
import { administrationEndpoints } from './accounts/administration.ts';
import { apiKeyEndpoints } from './keys/api-keys.ts';
import { callEndpoints } from './calls.ts';
import { clientEndpoints } from './worlds/clients.ts';
import { connectionTokenEndpoints } from './worlds/connection-tokens.ts';
import type { EndpointGroup } from './endpoint.ts';
import { accountSessionEndpoints } from './headless/account-sessions.ts';
import { headlessEndpoints } from './headless/sessions.ts';
import { eventEndpoints } from './events.ts';
import { instanceEndpoints } from './instances.ts';
import { keyRequestEndpoints } from './keys/key-requests.ts';
import { logEndpoints } from './logs.ts';
import { moduleInstallEndpoints } from './worlds/module-install.ts';
import { notificationEndpoints } from './notifications.ts';
import { oauthEndpoints } from './oauth/oauth.ts';
import { pairRequestEndpoints } from './worlds/pair-requests.ts';
import { pairingEndpoints } from './worlds/pairing.ts';
import { passwordEndpoints } from './accounts/passwords.ts';
import { secondFactorEndpoints } from './accounts/second-factors.ts';
import { serviceEndpoints } from './service.ts';
import { sessionEndpoints } from './accounts/sessions.ts';
import { signInEndpoints } from './accounts/sign-in.ts';
import { signInRequestEndpoints } from './oauth/sign-in-requests.ts';
import { troubleEndpoints } from './trouble.ts';
import { worldEndpoints } from './worlds/worlds.ts';

/** Every group of endpoints by its tag, in the order of the reference. An endpoint is one literal in one of them. */
export const endpointGroups = {
  clients: { title: 'Worlds and whether they are online, for programs', endpoints: clientEndpoints },
  'headless sessions': {
    title: 'Worlds in a browser of the relay, for programs',
    endpoints: headlessEndpoints,
  },
  events: { title: 'What happens in a world, as it happens', endpoints: eventEndpoints },
  'key requests': {
    title: 'How integrations get a key: they ask, a person approves',
    endpoints: keyRequestEndpoints,
  },
  oauth: { title: 'How assistants sign in: OAuth 2.1, for `/mcp` alone', endpoints: oauthEndpoints },
  'sign-in requests': {
    title: 'Who asks to be signed in, on the page where a person decides',
    endpoints: signInRequestEndpoints,
  },
  pairing: { title: 'How modules get a connection token', endpoints: pairingEndpoints },
  'pair requests': {
    title: 'How modules are paired without typing: they ask, a person approves',
    endpoints: pairRequestEndpoints,
  },
  'sign-in': { title: 'Opening an account, and signing in and out', endpoints: signInEndpoints },
  passwords: {
    title: 'Changing a password, and setting one that was forgotten',
    endpoints: passwordEndpoints,
  },
  account: { title: 'The account itself and its master key', endpoints: accountEndpoints },
  'second factors': {
    title: 'What is asked for beside the password, and recovery codes',
    endpoints: secondFactorEndpoints,
  },
  sessions: { title: 'Who is signed in', endpoints: sessionEndpoints },
  'API keys': { title: 'The keys of programs', endpoints: apiKeyEndpoints },
  worlds: { title: 'The worlds of an account', endpoints: worldEndpoints },
  'the module': {
    title: 'Installing the module in a tabletop',
    endpoints: moduleInstallEndpoints,
  },
  browsers: { title: 'The paired browsers of its worlds', endpoints: connectionTokenEndpoints },
  'your headless sessions': {
    title: 'The headless sessions of an account',
    endpoints: accountSessionEndpoints,
  },
  calls: { title: 'What programs asked of your worlds', endpoints: callEndpoints },
  logs: { title: 'What was recorded of an account', endpoints: logEndpoints },
  notifications: {
    title: 'What an account is told of, where, and what came of it',
    endpoints: notificationEndpoints,
  },
  administration: { title: 'All accounts, for administrators', endpoints: administrationEndpoints },
  instances: {
    title: 'The running instances and their load, for administrators',
    endpoints: instanceEndpoints,
  },
  trouble: { title: 'What goes wrong in the whole relay, for administrators', endpoints: troubleEndpoints },
  service: { title: 'Health and version', endpoints: serviceEndpoints },
} as const satisfies Record<string, EndpointGroup>;

/** Every endpoint by its name: the client's method, the handler's name and the OpenAPI document's `operationId`. */
export const endpoints = Object.assign(
  {},
  ...Object.values<EndpointGroup>(endpointGroups).map((group) => group.endpoints),
) as AllEndpoints;

export type AllEndpoints = Flat<
  UnionToIntersection<(typeof endpointGroups)[keyof typeof endpointGroups]['endpoints']>
>;

/** The endpoints that the SDK has a method for. */
export type SdkEndpoints = {
  [N in keyof AllEndpoints as AllEndpoints[N] extends { speaks: string } ? never : N]: AllEndpoints[N];
};

type Flat<T> = { [K in keyof T]: T[K] };

type UnionToIntersection<U> = (U extends unknown ? (u: U) => void : never) extends (i: infer I) => void
  ? I
  : never;
