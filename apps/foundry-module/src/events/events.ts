import type { Channel, EventOptions, GivenEvent } from '@tabletop-relay/module-sdk';
import { tabletop } from '../tabletop/foundry.ts';
import { actorHooks } from './actor.ts';
import { chatHooks, rollHooks } from './chat.ts';
import { combatHooks } from './combat.ts';
import type { HookRuns, Send } from './hook-runs.ts';
import { hookHooks } from './hooks.ts';
import { sceneHooks } from './scene.ts';

/** The hooks of each channel. */
const channels: { readonly [C in Channel]: (send: Send<C>) => HookRuns } = {
  actor: actorHooks,
  chat: chatHooks,
  combat: combatHooks,
  hooks: hookHooks,
  rolls: rollHooks,
  scene: sceneHooks,
};

interface Emitting {
  emit(channel: Channel, event: GivenEvent<Channel>, options: EventOptions): boolean;
}

/** Hears the tabletop for channels that somebody listens to, and nothing else. */
export function createEvents(
  { emit }: Emitting,
  onError: (error: unknown) => void,
): { listen(channel: Channel, count: number): void } {
  const attached = new Map<Channel, { hook: string; id: number }[]>();

  /** What goes wrong here is ours, and must not end the tabletop's own run of a hook. */
  function guarded(run: () => void): void {
    try {
      run();
    } catch (error) {
      onError(error);
    }
  }

  function attach(channel: Channel): void {
    const send: Send<Channel> = (event, visibleTo) => void emit(channel, event, { visibleTo });
    const runs = channels[channel](send);
    const hooks = Object.entries(runs).map(([hook, run]) => {
      const id = tabletop.Hooks.on(hook, (...args: never[]) => guarded(() => run(...args)));
      return { hook, id };
    });
    attached.set(channel, hooks);
  }

  return {
    listen(channel, count) {
      const hooks = attached.get(channel);
      if (count > 0 && !hooks) attach(channel);
      if (count > 0 || !hooks) return;
      attached.delete(channel);
      for (const { hook, id } of hooks) tabletop.Hooks.off(hook, id);
    },
  };
}
