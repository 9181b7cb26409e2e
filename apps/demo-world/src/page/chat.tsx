import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChatMessage } from '../world/state.ts';
import { Dice } from './dice.tsx';
import { useTable } from './table.ts';

const outcomes = {
  success: { sign: '✓', word: 'Success', tone: 'good' },
  failure: { sign: '✕', word: 'Failure', tone: 'bad' },
  critical: { sign: '★', word: 'Natural 20', tone: 'good' },
  fumble: { sign: '✕', word: 'Natural 1', tone: 'bad' },
} as const;

/** The chat log, oldest first; it follows new messages unless somebody has scrolled up to read. */
export function Chat() {
  const { state } = useTable();
  const list = useRef<HTMLDivElement>(null);
  const { chat } = state.value;
  useFollow(list, chat.at(-1)?.id);
  return (
    <section class="panel chat" aria-labelledby="chat-title">
      <header class="panel-head">
        <h2 id="chat-title">Chat</h2>
      </header>
      {/* Scrolled by keyboard too, so it takes the focus. */}
      <div ref={list} class="messages" role="log" aria-live="polite" aria-label="Messages" tabIndex={0}>
        {chat.length === 0 && <p class="empty">Nothing has been said or rolled. Try 2d6 + 3 below.</p>}
        <ol>
          {chat.map((message) => (
            <Message key={message.id} message={message} />
          ))}
        </ol>
      </div>
      <Say />
    </section>
  );
}

function Message({ message }: { message: ChatMessage }) {
  const { rolls } = useTable();
  const { roll } = message;
  return (
    <li class="message">
      <p class="byline">
        <strong>{message.speaker}</strong> <span>{message.title}</span>
        <Time at={message.timestamp} />
      </p>
      {roll && (
        <div class="roll">
          <Dice dice={roll.dice} isTumbling={rolls.isFresh(message)} />
          <p class="terms">
            <code>{roll.formula}</code>
            {roll.outcome && <Outcome outcome={roll.outcome} />}
          </p>
          <p class="total" title={roll.result}>
            <span class="visually-hidden">Total </span>
            {roll.total}
          </p>
        </div>
      )}
      {message.text && <p class="text">{message.text}</p>}
    </li>
  );
}

function Outcome({ outcome }: { outcome: keyof typeof outcomes }) {
  const { sign, word, tone } = outcomes[outcome];
  return (
    <span class={`outcome tone-${tone}`}>
      <span aria-hidden="true">{sign}</span> {word}
    </span>
  );
}

function Time({ at }: { at: number }) {
  const when = new Date(at);
  return (
    <time dateTime={when.toISOString()} title={when.toLocaleString()}>
      {when.toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })}
    </time>
  );
}

function Say() {
  const { isLive, perform } = useTable();
  const [text, setText] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    const said = text.trim();
    if (!said) return;
    perform(looksLikeRoll(said) ? { kind: 'roll', formula: said } : { kind: 'say', text: said });
    setText('');
  };
  return (
    <form class="say" onSubmit={submit}>
      <input
        aria-label="Say something or roll a formula"
        placeholder="Say something, or roll 2d6 + 3"
        value={text}
        maxLength={250}
        disabled={!isLive.value}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button disabled={!isLive.value || !text.trim()}>{looksLikeRoll(text.trim()) ? 'Roll' : 'Say'}</button>
    </form>
  );
}

/** Dice notation and nothing else; other words are speech. */
function looksLikeRoll(text: string): boolean {
  return /^[\d\s+\-*()dkhl]*\d*d\d[\d\s+\-*()dkhl]*$/i.test(text);
}

function useFollow(list: { current: HTMLElement | null }, newest: string | undefined) {
  const isAtEnd = useRef(true);
  const pin = () => {
    if (isAtEnd.current) list.current?.scrollTo({ top: list.current.scrollHeight });
  };
  useEffect(() => {
    const element = list.current;
    if (!element) return undefined;
    const note = () => {
      isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 48;
    };
    element.addEventListener('scroll', note, { passive: true });
    // Also when its tab is opened: a hidden list can't be scrolled.
    const observer = new ResizeObserver(pin);
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', note);
      observer.disconnect();
    };
  }, []);
  useEffect(pin, [newest]);
}
