import { floodBodies } from './flood-bodies.ts';
import { floodFrames } from './flood-frames.ts';
import { floodAttempts } from './flood-attempts.ts';
import { floodRequests } from './flood-requests.ts';
import type { FloodTask, Sent } from './task.ts';

// A process of its own: its parent measures somebody else's calls meanwhile.
const floods: Record<FloodTask['kind'], (task: FloodTask) => Promise<Sent>> = {
  requests: floodRequests,
  frames: floodFrames,
  bodies: floodBodies,
  attempts: floodAttempts,
};

process.on('message', (task: FloodTask) => {
  floods[task.kind](task).then(
    (sent) => process.send?.({ sent }),
    (error: unknown) => process.send?.({ failure: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.({ ready: '' });
