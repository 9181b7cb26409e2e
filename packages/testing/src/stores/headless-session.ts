/** A headless session as it is stored when somebody has asked for it, but for its account. */
export const headlessSession = (id: string) => ({
  id,
  keyId: null,
  tabletopUrl: `https://${id}.example`,
  username: 'Ada',
  worldName: '',
  consoleLevel: null,
  failure: null,
  sealKey: null,
});
