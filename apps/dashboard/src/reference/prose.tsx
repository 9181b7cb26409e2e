import type { ComponentChild } from 'preact';

/** The little Markdown of the document's descriptions: paragraphs, lists, code. */
export function Prose({ text }: { text: string }) {
  return (
    <>
      {text.split(/\n{2,}/).map((block) => {
        const lines = block.split('\n');
        if (!lines.every((line) => line.startsWith('- '))) return <p>{inline(block)}</p>;
        return (
          <ul class="points">
            {lines.map((line) => (
              <li>{inline(line.slice(2))}</li>
            ))}
          </ul>
        );
      })}
    </>
  );
}

/** One line of it. */
export function inline(text: string): ComponentChild[] {
  return text
    .split(/(`[^`]+`)/)
    .map((piece) => (/^`[^`]+`$/.test(piece) ? <code>{piece.slice(1, -1)}</code> : piece));
}
