import { Type } from 'typebox';

export const email = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: '^\\s*[^\\s@]+@[^\\s@]+\\s*$',
  description: 'E-mail address; upper and lower case are the same.',
});

/** A password that is compared, so it is taken as it is. */
export const password = Type.String({ minLength: 1, maxLength: 128 });

export const newPassword = Type.String({
  minLength: 10,
  maxLength: 128,
  description: '10 to 128 characters, not among the common ones.',
});
