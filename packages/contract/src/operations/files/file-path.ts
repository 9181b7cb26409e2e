import { Type } from 'typebox';

/**
 * A path within the tabletop's own files. Modules fetch what they are given from the game master's browser, so a path
 * that leads elsewhere is refused before it is sent: one with a scheme (`https:`, `data:`), with the name of a host
 * (`//host/`, where a browser reads `\` as `/`), or with `..`, also where it is percent-encoded. A browser drops control
 * characters from an address, so they could hide any of these.
 */
const withinTheWorld = [
  '(?![A-Za-z][A-Za-z0-9+.-]*:)',
  '(?!//)',
  '(?!(.*(/|%2[fF]|%5[cC]))?(\\.|%2[eE]){2}(/|%2[fF]|%5[cC]|$|[?#]))',
  '[^\\\\\\u0000-\\u001f\\u007f]*',
].join('');

export const filePath = (minLength: 0 | 1, what: string) =>
  Type.String({
    minLength,
    maxLength: 1024,
    pattern: `^(?! )${withinTheWorld}$`,
    description: `${what} It stays within the tabletop’s own files: no address of another place, no \`..\`, no \`\\\`.`,
  });
