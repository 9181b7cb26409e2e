import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { follow } from '../../overlay/follow.ts';
import type { Following } from '../../overlay/follow.ts';
import type { OverlayLook } from '../../overlay/overlay-link.ts';
import { Overlay } from '../../overlay/overlay.tsx';
import { emptyPicture } from '../../overlay/picture.ts';
import { ProblemNotice } from '../../parts/problem.tsx';
import { findWorld } from '../../store.ts';
import { useAction } from '../../use-action.ts';
import { previewKeys } from './overlay-key.ts';

interface PreviewProps {
  clientId: string;
  userId: string | undefined;
  look: OverlayLook;
}

/** The overlay on the world as it is now, by a key that ends after an hour and sees what the overlay will see. */
export function Preview({ clientId, userId, look }: PreviewProps) {
  const following = useSignal<Following | undefined>(undefined);
  const turnsOnly = userId === undefined;
  const isOnline = findWorld(clientId)?.isOnline !== false;
  const { run, problem } = useAction(async () => {
    const key = await previewKeys.make(clientId, userId);
    // What is not shown is followed all the same, so that a tick shows it at once.
    following.value = follow({
      ...look,
      showsHealth: true,
      showsRolls: true,
      key,
      client: clientId,
      turnsOnly,
    });
  });
  useEffect(() => {
    let isGone = false;
    if (isOnline) void run().then(() => isGone && following.peek()?.end());
    return () => {
      isGone = true;
      following.peek()?.end();
      following.value = undefined;
    };
  }, [isOnline]);
  const picture = following.value?.picture.value;
  const isRead = picture !== undefined && picture !== emptyPicture;
  return (
    <section aria-label="Preview" class="overlay-preview">
      <h2>Preview, live</h2>
      <ProblemNotice problem={problem.value} />
      <div class="film">{following.value && <Overlay following={following.value} look={look} />}</div>
      <p class="hint" role="status">
        {!isOnline && 'The world is offline. Open it to see the overlay on it.'}
        {isOnline &&
          isRead &&
          picture.fight === null &&
          'Nobody fights now. Begin a fight in your tabletop, or roll, and it appears.'}
      </p>
    </section>
  );
}
