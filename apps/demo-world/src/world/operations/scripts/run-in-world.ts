import { documentKinds } from '../../store/kinds.ts';
import type { ScriptJob } from '../../outside.ts';
import { compendiums } from '../../store/compendium.ts';
import { documentsOf, wholeDocument } from '../../store/find-documents.ts';
import type { FoundDocument } from '../../store/stored-document.ts';
import type { Transaction } from '../../transaction.ts';
import { gameMaster } from '../../transaction.ts';

/** Kinds that stand by themselves. */
const standing = Object.keys(documentKinds).filter((kind) => documentKinds[kind]?.inWorld !== undefined);

/**
 * A script with the world as it is. It gets a copy: what it makes, changes and deletes is done once it has ended, all of it
 * or nothing.
 */
export function scriptJob(tx: Transaction, script: string, args: object): ScriptJob {
  const { state, user } = tx;
  const { world, system, tabletopVersion, modules, selection } = state;
  const whole = (document: FoundDocument) => wholeDocument(state, document);
  const tokens = documentsOf(state, 'Scene').flatMap(({ uuid }) => documentsOf(state, 'Token', uuid));
  const generation = Number.parseInt(tabletopVersion, 10);
  const found = {
    facts: { world, system, version: tabletopVersion, release: { generation, version: tabletopVersion } },
    userId: (user ?? gameMaster(state)).id,
    documents: Object.fromEntries(standing.map((kind) => [kind, documentsOf(state, kind).map(whole)])),
    sheets: tokens.flatMap(({ uuid }) => documentsOf(state, 'Actor', uuid).map(whole)),
    packs: compendiums.map(({ documents, ...pack }) => ({
      ...pack,
      documents: documents.map(({ data }) => data),
    })),
    modules,
    selection,
    settings: coreSettings,
  };
  return { script, args: JSON.stringify(args), world: JSON.stringify(found) };
}

/** The settings of a tabletop that scripts read, as they are until a script changes them. */
const coreSettings = {
  'core.language': 'en',
  'core.rollMode': 'publicroll',
  'core.messageMode': 'public',
  'core.noCanvas': false,
  'core.time': 0,
  'core.animateRollTable': true,
  'core.combatTrackerConfig': {},
  'core.moduleConfiguration': {},
};
