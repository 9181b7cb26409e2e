import type { ComponentChildren } from 'preact';
import { DemoWorldButton } from '../pair/demo-world-button.tsx';
import type { FirstSteps } from './first-steps.ts';

/** The way from an empty account to a first call. The next step has the buttons. */
export function Checklist({ steps }: { steps: FirstSteps | undefined }) {
  if (!steps) return null;
  const { world, key, call } = steps;
  return (
    <section class="checklist" aria-labelledby="first-steps">
      <h2 id="first-steps">First steps</h2>
      <ol>
        <Step isDone={world} title="Pair a world" what="A world is what your tabletop runs in your browser.">
          <a class="button primary" href="/dashboard/pair">
            Pair a world
          </a>
          <DemoWorldButton />
        </Step>
        <Step isDone={key} title="Create a key" what="A program calls your worlds with a key of its own.">
          <a class={world ? 'button primary' : 'button'} href="/dashboard/keys/new">
            Create a key
          </a>
        </Step>
        <Step
          isDone={call}
          title="See a first call"
          what="Paste the line that comes with the key, or make a call from here. This page updates by itself."
        >
          {world && (
            <a class={key ? 'button primary' : 'button'} href="/dashboard/try">
              Try a call
            </a>
          )}
        </Step>
      </ol>
    </section>
  );
}

interface StepProps {
  isDone: boolean;
  title: string;
  what: string;
  children: ComponentChildren;
}

function Step({ isDone, title, what, children }: StepProps) {
  return (
    <li class={isDone ? 'done' : ''}>
      <h3>
        {title} {isDone && <span class="good">Done</span>}
      </h3>
      {!isDone && (
        <>
          <p class="muted">{what}</p>
          <div class="buttons">{children}</div>
        </>
      )}
    </li>
  );
}
