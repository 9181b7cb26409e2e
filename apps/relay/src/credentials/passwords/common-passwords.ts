let known: Promise<ReadonlySet<string>> | undefined;

/**
 * Whether a password is one of the 49,233 most common ones of @zxcvbn-ts/language-common (MIT), or one of them
 * followed by up to four digits or marks.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  known ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  );
  const passwords = await known;
  const plain = password.toLowerCase();
  return passwords.has(plain) || passwords.has(plain.replace(/[^a-z]{1,4}$/, '')) || new Set(plain).size < 4;
}
