/** Whether this browser knows passkeys at all; the code that talks to them comes only where one is used. */
export const canUsePasskeys = (): boolean => typeof window.PublicKeyCredential === 'function';
