import type { Ability } from '../ability.ts';
import { abilityModifier, abilityScore, proficiencyBonus } from '../rules/abilities.ts';
import { armorClass } from '../rules/armor.ts';
import type { Actor } from '../state.ts';
import { inks } from './inks.ts';
import type { Picture } from './scene-svg.ts';
import { escaped, linesOf } from './svg-text.ts';

const size = { width: 560, height: 720 };

/** No picture is longer: it is drawn and sent as a whole. */
const longestPx = 2048;

const left = 32;
const right = size.width - left;

/** The sheet of an actor as the page's sheet shows it, and as large as it was asked for. */
export function actorSheet(actor: Actor, scale: number): Picture {
  const { name, race, className, level, challenge, hitPoints, speedFeet } = actor;
  const kind = actor.kind === 'character' ? `${className}, level ${level}` : `challenge ${challenge ?? 0}`;
  const facts: [string, string][] = [
    ['Hit points', `${hitPoints.value} / ${hitPoints.max}`],
    ['Armor class', `${armorClass(actor)}`],
    ['Speed', `${speedFeet} ft`],
    ['Proficiency', signed(proficiencyBonus(actor))],
  ];
  return pictureOf(scale, [
    ...titleOf(name, [race, kind].filter(Boolean).join(' · ')),
    ...facts.map(([label, value], index) => boxOf({ label, value }, { index, of: facts.length, y: 118 })),
    barOf(hitPoints.value / Math.max(1, hitPoints.max)),
    ...(Object.keys(actor.abilities) as Ability[]).map((ability, index, { length: of }) =>
      boxOf(
        {
          label: ability.toUpperCase(),
          value: `${abilityScore(actor, ability)}  ${signed(abilityModifier(actor, ability))}`,
        },
        { index, of, y: 216 },
      ),
    ),
    textOf(left, 312, 'Items', { size: 18, ink: inks.accent }),
    ...itemLines(actor).map((line, index) => textOf(left, 338 + index * 22, line, { size: 15 })),
  ]);
}

/** The sheet of a document that is no actor: what it is, and what it says. */
export function paperSheet(paper: { name: string; kind: string; text: string }, scale: number): Picture {
  const lines = linesOf(paper.text, 62, 26);
  return pictureOf(scale, [
    ...titleOf(paper.name, paper.kind),
    ...lines.map((line, index) => textOf(left, 132 + index * 22, line, { size: 15 })),
  ]);
}

const itemsAtMost = 16;

function itemLines({ items }: Actor): string[] {
  const shown = items.slice(0, itemsAtMost).map(({ name, quantity, equipped }) => {
    const count = quantity === 1 ? '' : ` × ${quantity}`;
    return `${name}${count}${equipped ? ', equipped' : ''}`.slice(0, 62);
  });
  return items.length > itemsAtMost ? [...shown, `and ${items.length - itemsAtMost} more`] : shown;
}

const signed = (value: number): string => (value < 0 ? `${value}` : `+${value}`);

function pictureOf(asked: number, parts: readonly string[]): Picture {
  const scale = Math.min(asked, longestPx / Math.max(size.width, size.height));
  const [width, height] = [Math.round(size.width * scale), Math.round(size.height * scale)];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${size.width} ${size.height}">
<rect width="${size.width}" height="${size.height}" fill="${inks.paper}"/>
<rect x="10" y="10" width="${size.width - 20}" height="${size.height - 20}" rx="8" fill="${inks.raised}" stroke="${inks.line}"/>
<g font-family="IM FELL English SC, Georgia, serif">
${parts.join('\n')}
</g>
</svg>`;
  return { svg, width, height };
}

function titleOf(name: string, kind: string): string[] {
  return [
    textOf(left, 58, name.slice(0, 32), { size: 30 }),
    textOf(left, 84, kind.slice(0, 60), { size: 15, ink: inks.stoneLine }),
    `<path d="M${left} 98H${right}" stroke="${inks.line}" stroke-width="2"/>`,
  ];
}

/** A small value in a box, one of several beside each other. */
function boxOf(
  { label, value }: { label: string; value: string },
  { index, of, y }: { index: number; of: number; y: number },
): string {
  const gap = 8;
  const width = (right - left - gap * (of - 1)) / of;
  const x = left + index * (width + gap);
  const middle = { anchor: 'middle' } as const;
  return `<rect x="${x}" y="${y}" width="${width}" height="58" rx="6" fill="${inks.floor}" stroke="${inks.line}"/>${textOf(x + width / 2, y + 21, label, { size: 12, ink: inks.stoneLine, ...middle })}${textOf(x + width / 2, y + 46, value, { size: 19, ...middle })}`;
}

/** How much of the hit points is left. */
function barOf(share: number): string {
  const whole = right - left;
  const rest = whole * Math.max(0, Math.min(1, share));
  return `<rect x="${left}" y="186" width="${whole}" height="10" rx="5" fill="${inks.line}"/><rect x="${left}" y="186" width="${rest}" height="10" rx="5" fill="${share > 0.5 ? inks.good : inks.bad}"/>`;
}

interface TextLook {
  size: number;
  ink?: string;
  anchor?: 'middle';
}

function textOf(x: number, y: number, text: string, { size, ink = inks.ink, anchor }: TextLook): string {
  return `<text x="${x}" y="${y}" font-size="${size}" fill="${ink}"${anchor ? ` text-anchor="${anchor}"` : ''}>${escaped(text)}</text>`;
}
