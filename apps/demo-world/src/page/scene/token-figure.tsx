import type { Actor, Token } from '../../world/state.ts';
import { healthOf } from '../health.ts';

interface Look {
  token: Token;
  actor: Actor | undefined;
  square: number;
  isSelected: boolean;
  hasTurn: boolean;
}

/** A token as it is drawn, with its middle at the origin: disc, ring of hit points, marks and name. */
export function TokenFigure({ token, actor, square, isSelected, hasTurn }: Look) {
  const half = (token.size * square) / 2;
  const disc = half * 0.72;
  return (
    <g
      aria-hidden="true"
      class={`figure${token.hidden ? ' is-hidden' : ''}${actor?.life === 'dead' ? ' is-dead' : ''}`}
    >
      {hasTurn && <circle r={half * 1.12} class="turn-halo" />}
      <circle cx={half * 0.06} cy={half * 0.1} r={half * 0.92} class="cast" />
      <circle r={half * 0.92} class="rim" />
      {actor && <HitPointRing actor={actor} radius={half * 0.83} width={Math.max(3, half * 0.15)} />}
      <circle r={disc} class="disc" style={{ fill: token.color }} />
      <circle r={disc * 0.86} class="disc-line" />
      <text class="monogram" font-size={disc * 1.05} dy=".35em">
        {monogramOf(token.name)}
      </text>
      {actor && actor.hitPoints.value <= 0 && <DownMark radius={disc} />}
      {isSelected && <SelectionBrackets half={half} />}
      {hasTurn && <TurnMark half={half} />}
      <text class="token-name" y={half + 9}>
        {actor?.kind === 'character' && !isSelected ? token.name.split(' ')[0] : token.name}
      </text>
    </g>
  );
}

function HitPointRing({ actor, radius, width }: { actor: Actor; radius: number; width: number }) {
  const { tone, share } = healthOf(actor);
  return (
    <>
      <circle r={radius} stroke-width={width} class="ring-track" />
      <circle
        r={radius}
        stroke-width={width}
        class={`ring-value tone-${tone}`}
        pathLength={100}
        stroke-dasharray={`${share * 100} 100`}
        transform="rotate(-90)"
      />
      {actor.hitPoints.temp > 0 && <circle r={radius + 4} class="ring-temporary" />}
    </>
  );
}

function DownMark({ radius }: { radius: number }) {
  const arm = radius * 0.6;
  return <path class="down-mark" d={`M${-arm} ${-arm}L${arm} ${arm}M${arm} ${-arm}L${-arm} ${arm}`} />;
}

function SelectionBrackets({ half }: { half: number }) {
  const far = half + 1;
  const arm = half * 0.4;
  const corner = (x: number, y: number) => `M${x * far} ${y * (far - arm)}V${y * far}H${x * (far - arm)}`;
  return <path class="brackets" d={corner(-1, -1) + corner(1, -1) + corner(1, 1) + corner(-1, 1)} />;
}

function TurnMark({ half }: { half: number }) {
  return <path class="turn-mark" d={`M-7 ${-half - 12}h14l-7 9z`} />;
}

/** The letter on the disc; numbered monsters show their number too, or they could not be told apart. */
function monogramOf(name: string): string {
  const number = /\d+$/.exec(name)?.[0] ?? '';
  return `${name.replace(/^the /i, '').charAt(0)}${number}`;
}
