import { WebAuthnError, startAuthentication, startRegistration } from '@simplewebauthn/browser';
import type { PasskeyAssertion, PasskeyRegistration } from '@tabletop-relay/contract';

type CreationOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];
type RequestOptions = Parameters<typeof startAuthentication>[0]['optionsJSON'];

/** Asks the browser for a new passkey. `options` are the relay's. */
export async function createPasskey(options: object): Promise<PasskeyRegistration> {
  return await startRegistration({ optionsJSON: options as CreationOptions });
}

/** Asks the browser to sign with one of the passkeys that `options` name. */
export async function signWithPasskey(options: object): Promise<PasskeyAssertion> {
  return await startAuthentication({ optionsJSON: options as RequestOptions });
}

/** Why the browser gave no passkey, in words; any other error is thrown. */
export function refusalOf(error: unknown): string {
  if (!(error instanceof WebAuthnError || error instanceof DOMException)) throw error;
  if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
    return 'This device already holds a passkey for your account.';
  if (error.name === 'NotAllowedError' || error.name === 'AbortError')
    return 'The browser gave no passkey: it was cancelled, or it took too long.';
  return `The browser gave no passkey: ${error.message}`;
}
