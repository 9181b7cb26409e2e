import { tabletop } from '../../tabletop/foundry.ts';
import { findOwnActor, findToken, isName, shownScene } from '../acting.ts';
import type { ActingUser } from '../acting.ts';

/** In whose name somebody speaks: a token's or an actor's that is theirs, a name, or their own. */
export async function speakerOf(
  user: ActingUser,
  { speaker, alias }: { speaker?: string | undefined; alias?: string | undefined },
): Promise<object> {
  if (speaker === undefined) {
    const name = alias ?? (user ?? tabletop.game.user)?.name ?? '';
    return { scene: null, actor: null, token: null, alias: name };
  }
  const named = shownScene()?.tokens.find((one) => isName(one, speaker));
  const token = named ?? (await findToken(speaker));
  const actor = await findOwnActor(user, actorReference(speaker, token?.actor?.uuid));
  return {
    scene: token?.parent.id ?? null,
    actor: actor.id,
    token: token?.id ?? null,
    alias: alias ?? token?.name ?? actor.name,
  };
}

const actorReference = (speaker: string, uuid: string | undefined) =>
  uuid !== undefined || speaker.includes('.') ? { actorUuid: uuid ?? speaker } : { actorName: speaker };
