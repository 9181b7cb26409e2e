/**
 * Result of a check. A problem keeps the relay from working as promised; a warning may be intended; what is unchecked could not be
 * looked at with the rights of these settings.
 */
export interface Finding {
  check: string;
  state: 'ok' | 'unchecked' | 'warning' | 'problem';
  detail: string;
  /** Cure. */
  cure?: string;
}

export const ok = (check: string, detail: string): Finding => ({ check, state: 'ok', detail });

export const unchecked = (check: string, detail: string, cure: string): Finding => ({
  check,
  state: 'unchecked',
  detail,
  cure,
});

export const warning = (check: string, detail: string, cure: string): Finding => ({
  check,
  state: 'warning',
  detail,
  cure,
});

export const problem = (check: string, detail: string, cure: string): Finding => ({
  check,
  state: 'problem',
  detail,
  cure,
});
