import {
  expandScopes,
  headerAliases,
  operations,
  pathAliases,
  scopeAliases,
  theirScopes,
  wireNameOf,
} from '../../packages/contract/src/index.ts';
import type { Operation } from '../../packages/contract/src/index.ts';
import { code, codes, page, table } from './markdown.ts';

const intro = `For programs and modules that were written for another relay of this kind. Change the address and the key: what
stands under "Understood as it is" works without a change to the program, and is answered exactly as our own name. It stands
in no other list, and new programs should not use it. What stands under "Differs on purpose" needs a change.

Modules are paired anew, by their button or by a code: see [for game masters](../game-masters.md). Nothing in their settings but
the address changes.`;

const differs = `- **Keys.** A key of the other relay opens nothing here. A program that asks for its key (\`POST /auth/key-request\`) goes on
  to do so. A key holds the scopes that it was given, and the calls below need another one than there.
- **Errors** are \`application/problem+json\` with a \`code\` to decide by; \`error\` repeats the text. A refusal of the world is
  **422** \`operation_failed\` with its \`reason\`, where the other relay may answer 200, 400 or 500 with the world's words: do not
  look for \`error\` in an answer of 200. See [errors](errors.md).
- **\`outcome\`** says of a failed call whether the world may have carried it out. \`not_sent\` is safe to repeat.
- **Unknown parameters** are refused with 400 and their names, where the other relay drops them.
- **A world that is offline** is 404 \`client_offline\`, one that does not answer 504 \`client_timeout\`; both have a body.
- **Limits** are told by \`RateLimit\` headers, and 429 by \`Retry-After\`: see [configuration](configuration.md).
- **Not here**: \`GET /contents\` (use \`/structure\`), interactive sheets, and the request for the server's own address.`;

/** `docs/reference/coming-from-another-relay.md`. */
export function comingOverPage(): string {
  return page(
    'Coming from another relay',
    '`packages/contract/src/aliases.ts` and the operations',
    intro,
    '## Understood as it is',
    table(
      ['there', 'here'],
      [
        ...pathAliases.map(([theirs, ours]) => [code(`${theirs}*`), code(`${ours}*`)]),
        ...headerAliases.map(([theirs, ours]) => [`header ${code(theirs)}`, `header ${code(ours)}`]),
        ...Object.entries(scopeAliases).map(([alias, scopes]) => [`scope ${code(alias)}`, codes(scopes)]),
      ],
    ),
    'A scope is replaced before anybody approves it: who reads the request sees the scopes of this relay.',
    table(['call', 'parameter there', 'parameter here'], parameterRows()),
    'A module that asks another world (`remote-request`) may use both names of a parameter too. Its actions have the same names there and here.',
    '## Differs on purpose',
    differs,
    '### Calls that need another scope',
    'Give the key the scope on the right as well, or ask for it in the key request.',
    table(['call', 'scope there', 'scope here'], scopeRows()),
  );
}

const callOf = ({ method, path }: Operation) => code(`${method} ${path}`);

const theirs = Object.entries<readonly string[]>(theirScopes);

/** The operations that the other relay has too, each with the scope that it asks for. */
const shared = operations.flatMap((operation) =>
  theirs
    .filter(([, names]) => names.includes(operation.name))
    .map(([theirScope]) => ({ ...operation, theirScope })),
);

function parameterRows(): string[][] {
  return shared.flatMap((operation) =>
    Object.entries(operation.parameters).flatMap(([name, schema]) => {
      const wireName = wireNameOf(name, schema);
      return wireName === name ? [] : [[callOf(operation), code(wireName), code(name)]];
    }),
  );
}

/** The calls whose scope no program of the other relay asks for. */
function scopeRows(): string[][] {
  return shared
    .filter(({ scope, theirScope }) => !expandScopes([theirScope]).includes(scope))
    .map((operation) => [callOf(operation), code(operation.theirScope), code(operation.scope)]);
}
