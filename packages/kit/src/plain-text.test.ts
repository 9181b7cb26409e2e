import { describe, expect, it } from 'vitest';
import { readPlainText, toPlainText } from './plain-text.ts';

const refuse = (reason: string) => new Error(reason);

describe('a name that another person reads', () => {
  it.each([
    ['a line break', 'Good App\nwith an approval'],
    ['a control character', 'Good\u0007 App'],
    ['a bidi override', 'Good \u202Eppa'],
    ['a bidi isolate', 'Good \u2066App'],
    ['a zero-width space', 'Good\u200B App'],
    ['a joiner between letters that do not join', 'Go\u200Dod App'],
    ['a byte order mark', 'Good\uFEFF App'],
    ['a soft hyphen', 'Go\u00ADod App'],
    ['a letter that is blank', 'Good \u3164App'],
    ['a line separator', 'Good\u2028App'],
    ['half of a pair', 'Good \uD83C App'],
    ['tags', 'Good App\u{E0041}'],
  ])('is refused with %s', (_what, text) => {
    expect(() => readPlainText(text, refuse)).toThrow(/^must not hold line breaks/);
    expect(readPlainText(toPlainText(text), refuse)).toBe(toPlainText(text));
  });

  it('is refused when it is blank', () => {
    expect(() => readPlainText(' \u00A0 ', refuse)).toThrow('must not be blank');
  });

  it('is left to the schema when it is empty', () => {
    expect(readPlainText('', refuse)).toBe('');
  });

  it.each([
    'Dice & Dragons: the 2nd Coming',
    '\u{1F469}\u{1F3FD}\u200D\u{1F4BB} coder',
    '\u2764\uFE0F hearts',
    '\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645',
    '\u0915\u094D\u200D\u0937',
    '\u05E9\u05DC\u05D5\u05DD',
  ])('is taken as it is seen: %s', (text) => {
    expect(readPlainText(text, refuse)).toBe(text);
    expect(toPlainText(text)).toBe(text);
  });

  it('has one form', () => {
    expect(readPlainText('  Caf\u0065\u0301 ', refuse)).toBe('Caf\u00E9');
  });
});
