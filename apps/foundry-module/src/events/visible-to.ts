import type { FoundryDocument, Level } from '../tabletop/documents.ts';
import { tabletop } from '../tabletop/foundry.ts';
import { may } from '../operations/permissions.ts';

/** The ids of the users who may see all of these documents; game masters may. */
export const visibleTo = (documents: readonly FoundryDocument[], level: Level = 'OBSERVER'): string[] =>
  tabletop.game.users
    .filter((user) => user.isGM || documents.every((document) => may(user, document, level)))
    .map(({ id }) => id);

export const gameMasters = (): string[] => tabletop.game.users.filter(({ isGM }) => isGM).map(({ id }) => id);
