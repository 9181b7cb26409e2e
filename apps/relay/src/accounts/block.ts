export type Blocked = 'account_disabled' | 'rotation_required';

/** The reason why an account's API access is blocked; null while it is not. */
export function blockOf(account: { disabledAt: Date | null; rotationRequired: boolean }): Blocked | null {
  if (account.disabledAt) return 'account_disabled';
  return account.rotationRequired ? 'rotation_required' : null;
}
