/** Result of a check. A problem keeps the relay from working as promised; a warning may be intended. */
export interface Finding {
  check: string;
  state: 'ok' | 'warning' | 'problem';
  detail: string;
  /** Cure. */
  cure?: string;
}

export const ok = (check: string, detail: string): Finding => ({ check, state: 'ok', detail });

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
