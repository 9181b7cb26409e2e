/** JSON text without the fields whose names tell of a secret. */
export interface WithoutSecrets {
  text: string;
  /** The names of the fields that were left out, each once. */
  leftOut: string[];
}

/**
 * Writes a value as JSON, without fields that are secrets by their name, at any depth. Of the pair `{"key": "module.apiKey",
 * "value": ...}`, or `name` in place of `key`, the value is left out too. True, false and null tell no secret and stay.
 */
export function withoutSecrets(whole: unknown): WithoutSecrets {
  const leftOut = new Set<string>();
  const judged = new Map<string, boolean>();
  const judge = (name: string): boolean => {
    let isSecret = judged.get(name);
    if (isSecret === undefined) judged.set(name, (isSecret = namesSecret(name)));
    return isSecret;
  };
  const text = JSON.stringify(whole, function keep(this: unknown, name: string, value: unknown) {
    if (value === null || typeof value === 'boolean' || Array.isArray(this)) return value;
    if (!judge(name) && !(name === 'value' && isValueOfSecret(this, judge))) return value;
    leftOut.add(name.slice(0, longestName));
    return undefined;
  });
  return { text, leftOut: [...leftOut] };
}

const longestName = 64;

function isValueOfSecret(holder: unknown, judge: (name: string) => boolean): boolean {
  const { key, name } = holder as { key?: unknown; name?: unknown };
  return [key, name].some((text) => typeof text === 'string' && judge(text));
}

/** Words that tell of a secret wherever they stand in a name: `passwordSalt`, `client_secret`, `dbcredentials`. */
const anywhere = /passw(?:or)?d|passphrase|passcode|secret|credential/;

/** Words that do so alone. */
const whole = new Set([
  'pass',
  'pw',
  'pwd',
  'auth',
  'authorization',
  'bearer',
  'cookie',
  'cookies',
  'jwt',
  'otp',
]);

/** The last word of a name: `access_token`, `apiKey`, `authtoken`; but `tokenUuid`, `keyId`, `keyboard` and `monkey` are none. */
const last =
  /tokens?$|^(?:api|access|app|auth|client|encryption|license|master|oauth|private|refresh|session|shared|signing)?keys?$/;

/** Words that say no more than that it is the secret itself: `tokenValue`, `keyHash`. */
const itself = new Set(['value', 'text', 'string', 'hash', 'salt', 'hex', 'base64', 'data']);

/** The tabletop's own tokens, which stand on a map. */
const tabletop = new Set(['tokens', 'prototypeToken']);

/** Most names have nothing of this, and are not taken apart. */
const maybe = /pass|pw|secret|token|key|credential|auth|bearer|cookie|jwt|otp/i;

/** Whether a name tells that its value is a secret. Of a dotted path, such as `flags.module.apiKey`, each part counts. */
export function namesSecret(name: string): boolean {
  return name.split('.').some((part) => maybe.test(part) && isSecretPart(part));
}

function isSecretPart(part: string): boolean {
  if (tabletop.has(part)) return false;
  const words = part
    .replaceAll(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+|(?<=[a-z])\d+$/)
    .filter((word) => /[a-z]/.test(word));
  if (words.some((word) => anywhere.test(word) || whole.has(word))) return true;
  while (words.length > 1 && itself.has(words.at(-1) ?? '')) words.pop();
  return last.test(words.at(-1) ?? '');
}
