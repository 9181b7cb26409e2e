import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { ProblemError } from '../problem.ts';
import { accountRoutes } from '../accounts/account.ts';
import { administrationRoutes } from '../accounts/administration.ts';
import { apiKeyRoutes } from '../keys/api-keys.ts';
import { connectionTokenRoutes } from '../worlds/connection-tokens.ts';
import type { AccountApp, AccountDeps } from '../accounts/deps.ts';
import { describeRoutes } from './describe-routes.ts';
import { eventRoutes } from '../worlds/account-events.ts';
import { exportRoutes } from '../accounts/export.ts';
import '../accounts/fastify-types.ts';
import { keyRequestDecisionRoutes, keyRequestRoutes } from '../keys/key-request-routes.ts';
import { knownClientRoutes } from '../worlds/known-client-routes.ts';
import { logRoutes } from '../records/logs.ts';
import { masterKeyRoutes } from '../accounts/master-key.ts';
import { asUnavailable } from './postgres-away.ts';
import { pairRoutes, pairingCodeRoutes } from '../worlds/pairing-routes.ts';
import { changePasswordRoutes, resetRoutes } from '../accounts/passwords.ts';
import { checkSameOrigin } from '../accounts/same-origin.ts';
import { authenticateSession, sessionRoutes } from '../accounts/sessions.ts';
import { signInRoutes } from '../accounts/sign-in/sign-in.ts';
import { checkInput, createValidatorCompiler } from './validation.ts';

/** Called by modules and integrations, from any origin. */
const openRoutes = [pairRoutes, keyRequestRoutes];
/** Called by the dashboard before there is a session. */
const signedOutRoutes = [signInRoutes, masterKeyRoutes, resetRoutes];
const sessionOnlyRoutes = [
  sessionRoutes,
  accountRoutes,
  exportRoutes,
  changePasswordRoutes,
  apiKeyRoutes,
  pairingCodeRoutes,
  connectionTokenRoutes,
  knownClientRoutes,
  keyRequestDecisionRoutes,
  logRoutes,
];

/**
 * All of the account API: open routes, each with its limit (@fastify/rate-limit is registered above), and those
 * that need a session.
 */
export async function registerAccountRoutes(instance: FastifyInstance, deps: AccountDeps): Promise<void> {
  await instance.register(async (plain) => {
    const app: AccountApp = plain.withTypeProvider<TypeBoxTypeProvider>();
    app.setValidatorCompiler(createValidatorCompiler());
    app.setErrorHandler((error) => {
      throw asUnavailable(error);
    });
    // No body at all is a body that names nothing; a body that says null is wrong.
    app.addHook('preValidation', (request, _reply, done) => {
      if (request.body === undefined) request.body = {};
      checkInput(request);
      done();
    });
    app.addHook('onRoute', (route) => {
      route.bodyLimit ??= deps.maxBodyBytes;
    });
    app.removeContentTypeParser('text/plain');
    await app.register((open: AccountApp, _options, done) => {
      describeRoutes(open, 'pairing and key requests', { needsSession: false });
      for (const routes of openRoutes) routes(open, deps);
      done();
    });
    await app.register((signedOut: AccountApp, _options, done) => {
      describeRoutes(signedOut, 'account', { needsSession: false });
      signedOut.addHook('onRequest', (request, _reply, next) => {
        checkSameOrigin(request, deps.publicUrlOf(request), false);
        next();
      });
      for (const routes of signedOutRoutes) routes(signedOut, deps);
      done();
    });
    await app.register(async (signedIn: AccountApp) => {
      describeRoutes(signedIn, 'account', { needsSession: true });
      requireSession(signedIn, deps);
      for (const routes of sessionOnlyRoutes) routes(signedIn, deps);
      await eventRoutes(signedIn, deps);
      await signedIn.register((admin: AccountApp, _options, done) => {
        administrationRoutes(admin, deps);
        done();
      });
    });
  });
}

function requireSession(app: AccountApp, deps: AccountDeps): void {
  app.decorateRequest('session');
  app.addHook('onRequest', async (request) => {
    request.session = await authenticateSession(deps, request);
    if (request.session.disabled && !request.routeOptions.config.openToDisabled) {
      throw new ProblemError('account_disabled');
    }
  });
}
