import { ApplicationV2 } from './applications.js';
import { world } from '../parts.js';
import { facts } from '../strict.js';

/** The sheet of a document: a window of the system's generation that shows its name, its picture and its numbers. */

function content(document_) {
  const root = document.createElement('form');
  root.className = 'sheet-body';
  const image = root.appendChild(document.createElement('img'));
  image.src = document_.img ?? 'icons/svg/mystery-man.svg';
  const input = root.appendChild(document.createElement('input'));
  Object.assign(input, { name: 'name', value: document_.name, disabled: !document_.isOwner });
  return root;
}

class DocumentSheetV2 extends ApplicationV2 {
  constructor({ document: document_, ...options }) {
    super(options);
    this.document = document_;
  }
  static DEFAULT_OPTIONS = { classes: ['sheet'], position: { width: 600, height: 600 } };
  async _renderHTML() {
    return content(this.document);
  }
  _replaceHTML(result, holder) {
    holder.replaceChildren(result);
  }
}

/** Sheets of the first generation until dnd5e 5, of the second from then on. */
export function installSheets(old) {
  class DocumentSheet extends old.FormApplication {
    static isOfSystem = true;
    get document() {
      return this.object;
    }
    get title() {
      return this.object.name;
    }
    async _renderInner() {
      return world.wrap(content(this.object));
    }
  }
  world.sheetFor = (document_) => {
    const id = `${document_.documentName}-${document_.uuid.replaceAll('.', '-')}`;
    if (facts.dnd5eFamily < '5' && facts.generation < 14) return new DocumentSheet(document_, { id });
    return new DocumentSheetV2({ document: document_, id, window: { title: document_.name } });
  };
  return { DocumentSheet, DocumentSheetV2 };
}
