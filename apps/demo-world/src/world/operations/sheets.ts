import type { Document } from '../document.ts';
import type { Picture } from '../picture/scene-svg.ts';
import { actorSheet, paperSheet } from '../picture/sheet-svg.ts';
import { knownDocument, wholeDocument } from '../store/find-documents.ts';
import { isDocument } from '../store/merge.ts';
import { assertLevel, levels } from '../store/permissions.ts';
import { textAt } from '../store/rooms/fields.ts';
import type { FoundDocument } from '../store/stored-document.ts';
import type { Transaction } from '../transaction.ts';
import { plainText } from './chat/plain-text.ts';
import { targetsOf } from './entities/targets.ts';
import { onlySelected } from './find.ts';
import type { SlowHandlers } from './handler.ts';

/** The world draws a sheet as SVG, and what it runs in makes the asked kind of picture of that. */
export const sheets: SlowHandlers<'sheet-screenshot'> = {
  async 'sheet-screenshot'(tx, { scale = 1, format = 'png', quality = 0.9, ...reference }, { paint }) {
    const targets = targetsOf(tx, reference).map((one) => withSheet(tx, one));
    const target = onlySelected(targets.map((one) => ({ ...one, name: nameOf(one) })));
    assertLevel(tx, target, levels.observer, 'see the sheet of');
    const { svg, width, height } = draw(tx, target, scale);
    const imageData = await paint(svg, { format, quality });
    return () => ({ success: true, imageData, mimeType: `image/${format}`, width, height });
  },
};

/** A token shows the sheet of its actor. */
function withSheet({ state }: Transaction, target: FoundDocument): FoundDocument {
  return target.kind === 'Token' ? knownDocument(state, target.data['actorUuid'] as string) : target;
}

const nameOf = ({ data, kind }: FoundDocument): string => textAt(data, 'name', kind);

function draw({ state }: Transaction, target: FoundDocument, scale: number): Picture {
  const actor = state.actors.find(({ uuid }) => uuid === target.uuid);
  if (actor) return actorSheet(actor, scale);
  return paperSheet(
    { name: nameOf(target), kind: target.kind, text: textOf(wholeDocument(state, target)) },
    scale,
  );
}

/** Text of a document: its description, or its pages. */
function textOf(document: Document): string {
  const { pages } = document;
  if (!Array.isArray(pages)) return plainText(textAt(document, 'system.description.value', ''));
  return pages
    .filter(isDocument)
    .map((page) => plainText(textAt(page, 'text.content', '')))
    .join(' ');
}
