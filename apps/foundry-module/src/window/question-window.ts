import type { Press, Question } from '../trust/questions.ts';
import { readable } from '../trust/values.ts';
import { tabletop } from '../tabletop/foundry.ts';
import { text } from '../words/text.ts';
import { elementsOf } from './element.ts';
import type { MakeElement } from './element.ts';

export interface QuestionWindow {
  /** Shows the oldest open question, or goes where there is none. */
  update(): void;
  /** Before the other windows. */
  show(): void;
}

/** A press that comes sooner was meant for what stood there before. */
const settledMs = 700;

/**
 * Asks one question at a time. It blocks nothing of the table, takes the focus from nobody who types, and whatever is not a press on a
 * button that allows is a no.
 */
export function createQuestionWindow(
  open: () => readonly Question[],
  answer: (id: number, press: Press) => void,
): QuestionWindow {
  const { ApplicationV2 } = tabletop.foundry.applications!.api!;
  let shownId: number | undefined;
  let shownAt = 0;

  class Window extends ApplicationV2! {
    static override DEFAULT_OPTIONS = {
      id: 'tabletop-relay-question',
      classes: ['tabletop-relay-window', 'tabletop-relay-question'],
      position: { width: 520, height: 'auto' },
      window: { title: text('ask.title'), icon: 'fa-solid fa-circle-question', resizable: true },
    };

    /** The tabletop asks each window for its content. */
    _renderHTML(): Promise<HTMLElement> {
      const [question] = open();
      const element = elementsOf(document);
      return Promise.resolve(
        question ? drawQuestion(element, { question, count: open().length, press }) : element('div'),
      );
    }

    _replaceHTML(result: HTMLElement, content: HTMLElement): void {
      this.element.setAttribute('role', 'alertdialog');
      this.element.setAttribute('aria-labelledby', 'tabletop-relay-question-title');
      this.element.setAttribute('aria-describedby', 'tabletop-relay-question-text');
      content.replaceChildren(result);
    }

    /** The person closed it: with its button, or with the key that closes windows. */
    override async close(options?: object): Promise<unknown> {
      const id = shownId;
      shownId = undefined;
      const closed = await super.close(options);
      if (id !== undefined && open().some((one) => one.id === id)) answer(id, 'no');
      return closed;
    }
  }

  const window = new Window();

  function press(id: number, pressed: Press, at: number): void {
    const isEarly = at - shownAt < settledMs;
    if (isEarly && pressed !== 'no' && pressed !== 'mute') return;
    answer(id, pressed);
  }

  const bringToFront = () => {
    if (window.rendered) window.bringToFront();
  };

  async function draw(): Promise<void> {
    const [question] = open();
    const isOther = question?.id !== shownId;
    shownId = question?.id;
    if (!question) {
      if (window.rendered) await window.close({ animate: false });
      return;
    }
    if (isOther) shownAt = performance.now();
    await window.render({ force: true });
    if (!isOther) return;
    bringToFront();
    if (!isTyping()) document.getElementById('tabletop-relay-no')?.focus();
  }

  // One after the other: a window that is still being drawn would stand there again after it was closed.
  let drawing: Promise<unknown> = Promise.resolve();
  const update = (): Promise<unknown> => (drawing = drawing.then(draw, draw));

  return {
    update: () => void update(),
    show: () => void update().then(bringToFront),
  };
}

const isTyping = (): boolean =>
  document.activeElement instanceof HTMLElement &&
  (document.activeElement.isContentEditable ||
    ['INPUT', 'TEXTAREA', 'SELECT'].includes(document.activeElement.tagName));

interface Drawn {
  question: Question;
  count: number;
  press(id: number, press: Press, at: number): void;
}

function drawQuestion(element: MakeElement, { question, count, press }: Drawn): HTMLElement {
  const { caller, operation, userName, targets, values, code } = question;
  const program = caller ? readable(caller.name) : text('activity.unknown');
  const line = (label: string, value: string) => [
    element('dt', {}, label),
    // What does not fit is scrolled to, by the keyboard too.
    element('dd', value.length > 200 ? { tabindex: '0' } : {}, value),
  ];
  // Their number, so that no name looks like two.
  const number = targets.length > 1 ? `${targets.length}: ` : '';
  return element(
    'div',
    { class: 'tabletop-relay-content' },
    element(
      'h2',
      { id: 'tabletop-relay-question-title' },
      text(caller?.kind === 'world' ? 'ask.world' : 'ask.who', { program }),
    ),
    element(
      'p',
      { id: 'tabletop-relay-question-text', class: 'tabletop-relay-asked' },
      text(`operation.${operation}.asks`),
    ),
    element(
      'dl',
      {},
      ...line(text('ask.as'), userName === undefined ? text('ask.master') : readable(userName)),
      ...(targets.length > 0 ? line(text('ask.target'), number + readable(targets.join(', '))) : []),
    ),
    values !== '' && drawText(element, 'ask.values', values),
    code !== undefined && drawText(element, 'ask.code', readable(code)),
    code !== undefined &&
      element('p', { role: 'note', class: 'tabletop-relay-warning' }, text('code.warning')),
    drawButtons(element, question, press),
    count > 1 &&
      element('p', { class: 'tabletop-relay-muted' }, text('ask.more', { count: String(count - 1) })),
  );
}

function drawText(element: MakeElement, label: 'ask.values' | 'ask.code', words: string): HTMLElement {
  const id = `tabletop-relay-${label.replace('.', '-')}`;
  return element(
    'div',
    {},
    element('p', { id, class: 'tabletop-relay-muted' }, text(label)),
    element('pre', { tabindex: '0', role: 'region', 'aria-labelledby': id }, words),
  );
}

function drawButtons(element: MakeElement, question: Question, press: Drawn['press']): HTMLElement {
  const { id, isFree, isRemembered, code } = question;
  const button = (pressed: Press, words: string) =>
    element(
      'button',
      {
        type: 'button',
        id: `tabletop-relay-${pressed}`,
        onclick: ({ timeStamp }) => press(id, pressed, timeStamp),
      },
      words,
    );
  return element(
    'div',
    { class: 'tabletop-relay-buttons' },
    button('no', text('ask.no')),
    button('once', text(code === undefined ? 'ask.once' : 'ask.run')),
    isFree && button('program', text('ask.program')),
    isRemembered && code !== undefined && button('code', text('ask.always')),
    button('mute', text('ask.mute')),
  );
}
