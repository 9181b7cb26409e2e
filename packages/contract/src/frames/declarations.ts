import { Type } from 'typebox';
import type { Static } from 'typebox';

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

/**
 * What a module declares of itself in its `auth` frame, for as long as that socket has its world. Whatever is not declared is
 * not relied on. Each is bounded by its schema, because all instances keep it with the world's ownership.
 */
export const declarations = {
  handsOver: flag(
    'This module opens its next socket beside the old one when it is told `reconnect`. Only such modules are moved to an instance with fewer worlds.',
  ),
  checksUser: flag(
    'This module checks `userId` in every operation and event that it serves, rolls too. Without it, callers that are bound to a user are refused the operations in which modules are known not to check it.',
  ),
  filtersEvents: flag(
    'This module says with each event of `hooks`, `combat`, `actor` and `scene` in `visibleTo` which users may see it. Without it, callers that are bound to a user cannot follow these channels.',
  ),
  wantsCaller: flag(
    'This module wants to be told with each command who asks, in `caller`. Without it, commands say nothing of that.',
  ),
  remembers: Type.Optional(
    Type.String({
      minLength: 16,
      maxLength: 64,
      description:
        'The name of this module’s memory of commands with `idempotency`: random, and new whenever that memory begins, which is with each load of the page. Without it, a command whose outcome is unknown is never sent again.',
    }),
  ),
  standby: flag(
    'This module waits where another browser serves its world, with `standby` in place of the refusal 4004, and serves when that one goes. Five may wait at most.',
  ),
} as const;

export type Declarations = {
  [N in keyof typeof declarations]?: Static<(typeof declarations)[N]>;
};
