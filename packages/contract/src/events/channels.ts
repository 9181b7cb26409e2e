/** The event types that callers subscribe to, and how each travels on a module's socket. */
export const channels = {
  hooks: { frame: 'hook-event', wire: 'hooks' },
  combat: { frame: 'combat-event', wire: 'combat-events' },
  actor: { frame: 'actor-event', wire: 'actor-events' },
  scene: { frame: 'scene-event', wire: 'scene-events' },
} as const;

export type Channel = keyof typeof channels;
