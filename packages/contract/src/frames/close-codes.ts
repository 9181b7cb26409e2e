/** The advice that a close code gives to a module. */
export type CloseAdvice = 'nothing' | 'back-off' | 'come-back-as-told' | 'pair-again' | 'try-every-30-s';

/** Every code that the relay closes a module's socket with. */
export const closeCodes = {
  normal: { code: 1000, meaning: 'Normal end', advice: 'nothing' },
  unsupportedData: { code: 1003, meaning: 'A binary frame: the protocol is JSON text', advice: 'back-off' },
  frameTooBig: { code: 1009, meaning: 'A message too large to be dropped alone', advice: 'back-off' },
  goingAway: { code: 1012, meaning: 'This instance is going away', advice: 'come-back-as-told' },
  temporary: {
    code: 4000,
    meaning: 'Temporary trouble: database, authentication time-out, overload',
    advice: 'back-off',
  },
  tokenInvalid: {
    code: 4002,
    meaning: 'Token invalid, revoked, or bound to another client',
    advice: 'pair-again',
  },
  addressNotAllowed: { code: 4003, meaning: 'Address not in the token’s allowlist', advice: 'back-off' },
  duplicate: { code: 4004, meaning: 'Another browser is connected as this client', advice: 'try-every-30-s' },
} as const satisfies Record<string, { code: number; meaning: string; advice: CloseAdvice }>;

export type CloseName = keyof typeof closeCodes;

/** The advice for a module whose socket closed with `code`. Unknown codes mean to back off. */
export function adviceFor(code: number): CloseAdvice {
  return Object.values(closeCodes).find((entry) => entry.code === code)?.advice ?? 'back-off';
}
