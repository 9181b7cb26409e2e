import type { HeadlessSession } from '@tabletop-relay/contract';

/** The stages in words; one that this page does not know is shown by its name. */
const words: Record<string, string> = {
  queued: 'Waiting for a browser',
  open: 'Opening the tabletop',
  setup: 'Starting the world',
  login: 'Logging in',
  world: 'Entering the world',
  module: 'Giving the module its token',
  online: 'Waiting for the module to connect',
};

/** How far a session came on its way to the world. */
export function StageLine({ session }: { session: HeadlessSession }) {
  const { stage, stageNumber, stages, state } = session;
  const word = words[stage] ?? stage;
  const hasFailed = state === 'failed';
  const isKnown = stages > 0;
  return (
    <p class="stage-line">
      {(isKnown || !hasFailed) && (
        <progress
          class={hasFailed ? 'bad' : ''}
          max={isKnown ? stages : 1}
          {...(isKnown && { value: stageNumber })}
          aria-label="Stages of the start"
        />
      )}
      <span>
        {hasFailed && 'Stopped at: '}
        {word}
        {isKnown && ` (${stageNumber} of ${stages})`}
      </span>
    </p>
  );
}
