const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as XML may hold it. Control characters cannot stand there at all. */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u{FFFE}\u{FFFF}]/gu, ' ')
    .replaceAll(/[&<>"]/g, (sign) => entities[sign]!);
}

/** A text in lines of so many letters at most, broken between words where that can be. */
export function linesOf(text: string, letters: number, linesAtMost: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text
    .slice(0, letters * linesAtMost)
    .split(/\s+/)
    .filter(Boolean)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length > letters && line !== '') {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, ...(line === '' ? [] : [line])].map((one) => one.slice(0, letters)).slice(0, linesAtMost);
}
