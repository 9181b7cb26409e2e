import type { Channel, GivenEvent } from '@tabletop-relay/module-sdk';

/** Sends an event of a channel; `visibleTo` has the ids of the users who may see it. */
export type Send<C extends Channel> = (event: GivenEvent<C>, visibleTo: readonly string[]) => void;

/** A hook and what runs at it. A hook that gave something back could veto what others do, so nothing is given back. */
export type HookRuns = Readonly<Record<string, (...args: never[]) => void>>;
