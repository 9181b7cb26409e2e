import type { Data, FoundryDocument, Scene, Token } from '../tabletop/documents.ts';
import type { HookRuns, Send } from './hook-runs.ts';
import { visibleTo } from './visible-to.ts';

/** Which scene is shown, and tokens, lights and walls on any. */
export function sceneHooks(send: Send<'scene'>): HookRuns {
  const tell = (seen: readonly FoundryDocument[], eventType: string, more: () => Data) => {
    const sceneId = (seen[0] as Scene).id;
    send(() => ({ eventType, sceneId, ...more() }), visibleTo(seen, 'LIMITED'));
  };
  const on = (scene: FoundryDocument | null): scene is Scene => scene?.documentName === 'Scene';

  const hooksOf = (kind: string, word: string): HookRuns => ({
    [`create${kind}`]: (document: FoundryDocument) => {
      const { parent } = document;
      if (on(parent)) tell([parent, document], `${word}-create`, () => ({ [word]: document.toObject() }));
    },
    [`update${kind}`]: (document: FoundryDocument, changes: Data) => {
      const { parent, id } = document;
      if (!on(parent)) return;
      const more = () => ({ [`${word}Id`]: id, ...(kind === 'Token' && aboutToken(document)), changes });
      tell([parent, document], `${word}-update`, more);
    },
    [`delete${kind}`]: (document: FoundryDocument) => {
      const { parent, id } = document;
      if (!on(parent)) return;
      const more = () => ({ [`${word}Id`]: id, ...(kind === 'Token' && { tokenName: document.name }) });
      tell([parent, document], `${word}-delete`, more);
    },
  });

  return {
    // No hook of its own tells that a scene was shown to all.
    updateScene: (scene: Scene, changes: Data) => {
      if (changes['active'] === true) tell([scene], 'scene-activate', () => ({ name: scene.name }));
    },
    ...hooksOf('Token', 'token'),
    ...hooksOf('AmbientLight', 'light'),
    ...hooksOf('Wall', 'wall'),
  };
}

const aboutToken = (document: FoundryDocument) => {
  const { uuid, name } = document as Token;
  return { tokenUuid: uuid, name };
};
