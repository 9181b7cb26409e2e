export { startDemoWorld } from './serve.ts';
export type { DemoWorld, DemoWorldOptions } from './serve.ts';
export { createWorldModule } from './world-module.ts';
export { stepEvents } from './world/events/step-events.ts';
export { Refusal } from './world/refusal.ts';
export type { WorldState } from './world/state.ts';
export { createNodeWorld as createWorld } from './node-world.ts';
export type { IncomingCall, World, WorldChange, WorldOptions } from './world/world.ts';
