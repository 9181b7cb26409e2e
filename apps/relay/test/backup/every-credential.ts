import { call, codeOf, connectModule, createAccount } from '@tabletop-relay/testing/scenes';

/** Makes one of each credential, with a second factor, at an instance. */
export async function makeEveryCredential(url: string) {
  const account = await createAccount(url);
  const { email, password, sessionToken, masterKey, as } = account;
  const key = await account.createKey();
  const pairing = await account.pair();
  const app = await as('POST', '/auth/second-factors/totp', { password });
  const { setup, secret } = app.body as { setup: string; secret: string };
  const confirmed = await as('POST', '/auth/second-factors/totp/confirm', { setup, code: codeOf(secret) });
  const [recoveryCode] = confirmed.body['recoveryCodes'] as string[];
  const pairingCode = (await as('POST', '/auth/pairing-codes', {})).body['code'];

  const signIn = async ([begun, at]: [string, string], answer: object) => {
    const asked = await call(begun, 'POST', '/auth/login', { body: { email, password } });
    const secondFactor = { challenge: asked.body['challenge'], ...answer };
    return (await call(at, 'POST', '/auth/login', { body: { email, password, secondFactor } })).status;
  };
  const callWorld = async (at: string, apiKey: string) => {
    const headers = { 'x-api-key': apiKey };
    const { body } = await call(at, 'GET', `/players?clientId=${pairing.clientId}`, { headers });
    return body['users'];
  };

  return {
    account,
    /** Uses each of them. Sign-ins begin at another instance where one is named. */
    async use(at: string, begun = at) {
      const module = await connectModule(at, pairing, () => ({ users: ['back'] }));
      const headers = { authorization: `Bearer ${sessionToken}` };
      const world = { worldId: 'barovia', worldTitle: 'Barovia', systemId: 'dnd5e' };
      const used = {
        session: (await call(at, 'GET', '/auth/account', { headers })).body['email'] === email,
        masterKey: await callWorld(at, masterKey),
        key: await callWorld(at, key),
        // The code of the step in which the app was set up was used then.
        app: await signIn([begun, at], { method: 'totp', code: codeOf(secret, 1) }),
        recoveryCode: await signIn([begun, at], { method: 'recovery', code: recoveryCode }),
        pairingCode: (await call(at, 'POST', '/auth/pair', { body: { ...world, code: pairingCode } })).status,
      };
      await module.close();
      return used;
    },
  };
}

/** What `use` resolves with where all of them are taken. It rejects where the connection token is not. */
export const good = {
  session: true,
  masterKey: ['back'],
  key: ['back'],
  app: 200,
  recoveryCode: 200,
  pairingCode: 200,
};
