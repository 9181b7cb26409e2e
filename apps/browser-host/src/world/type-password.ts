import type { Locator } from 'playwright-core';
import { StageFailure } from '../adapters/adapter.ts';
import { checkPlace } from './place.ts';
import type { Place } from './place.ts';

/**
 * Types the password into a field of the place, whose form stays there. It is typed into the very element that was looked at: a page
 * that goes on in the meantime has it no more. Throws `StageFailure`.
 */
export async function typePassword(
  field: Locator,
  { password, place }: { password: string; place: Place },
): Promise<void> {
  const element = await field.elementHandle();
  checkPlace(field.page(), place);
  const targets = await element?.evaluate(targetsOf);
  const foreign = targets?.find((target) => URL.parse(target)?.origin !== place);
  if (foreign !== undefined) {
    const origin = URL.parse(foreign)?.origin ?? foreign;
    throw new StageFailure(
      `The form for the password at ${place} leads to ${origin.slice(0, 200)}: it was not filled in.`,
    );
  }
  await element?.fill(password);
}

/** Runs in the page: where its form could be sent. A field that is called `action` or `elements` stands in the way of the form's own. */
function targetsOf(field: Element): string[] {
  const form = (field as HTMLInputElement).form;
  if (!form) return [];
  const read = (name: 'action' | 'elements'): unknown =>
    Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, name)?.get?.call(form);
  const buttons = [...(read('elements') as HTMLFormControlsCollection)].filter((one) =>
    one.hasAttribute('formaction'),
  );
  return [read('action') as string, ...buttons.map((button) => (button as HTMLButtonElement).formAction)];
}
