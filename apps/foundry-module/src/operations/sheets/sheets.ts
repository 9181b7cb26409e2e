import { OperationRefused } from '@tabletop-relay/module-sdk';
import { tabletop } from '../../tabletop/foundry.ts';
import type { FoundryDocument, Sheet, Token } from '../../tabletop/documents.ts';
import { onlySelected } from '../acting.ts';
import type { SomeHandlers } from '../call.ts';
import { targetsOf } from '../documents/targets.ts';
import { assertLevel } from '../permissions.ts';
import { pictureOf } from './picture.ts';

/** Pictures of sheets. */
export const sheets = {
  async 'sheet-screenshot'({ format = 'png', quality = 0.9, scale = 1, ...reference }, { user, signal }) {
    const targets = (await targetsOf(user, reference)).flatMap((target) =>
      target.documentName === 'Token' ? ((target as Token).actor ?? []) : target,
    );
    const target = onlySelected(targets);
    assertLevel(user, target, 'OBSERVER', 'see the sheet of');
    const sheet = (target as FoundryDocument & { sheet: Sheet | null }).sheet;
    if (!sheet) throw new OperationRefused(`${target.name} has no sheet`, 'not_supported');
    const wasOpen = sheet.rendered;
    const element = await open(sheet, signal);
    try {
      const mimeType = `image/${format}`;
      const { width, height, imageData } = await pictureOf(element, { mimeType, quality, scale });
      return { success: true, imageData, mimeType, width, height };
    } finally {
      if (!wasOpen) await sheet.close({ animate: false });
    }
  },
} satisfies SomeHandlers;

/** Draws a sheet where it is not drawn yet. No timer waits for it, since those of a hidden tab come late. */
async function open(sheet: Sheet, signal: AbortSignal): Promise<HTMLElement> {
  const isSecond = 'DEFAULT_OPTIONS' in sheet.constructor;
  if (isSecond) await sheet.render({ force: true });
  else if (!sheet.rendered) await drawn(sheet, signal);
  const { element } = sheet;
  const found = element instanceof HTMLElement ? element : element?.[0];
  if (found) return found;
  throw new OperationRefused('The sheet did not open', 'not_supported');
}

/** Sheets of the first generation tell by a hook alone that they are drawn. */
function drawn(sheet: Sheet, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const hook = `render${sheet.constructor.name}`;
    const id = tabletop.Hooks.on(hook, (app: unknown) => {
      if (app === sheet) end(resolve);
    });
    const end = (then: () => void) => {
      tabletop.Hooks.off(hook, id);
      then();
    };
    signal.addEventListener('abort', () => end(() => reject(signal.reason as Error)));
    sheet.render(true);
  });
}
