import { Type } from 'typebox';
import { passwordRule } from './password-rule.ts';

export const email = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: '^\\s*[^\\s@]+@[^\\s@]+\\s*$',
  description: 'E-mail address; upper and lower case are the same.',
});

/** A password that is compared with the account's: the rule of new ones may be younger than it. */
export const password = Type.String({ minLength: 1, maxLength: 128 });

export const newPassword = Type.String({
  minLength: passwordRule.minLength,
  maxLength: passwordRule.maxLength,
  description: passwordRule.hint,
});
