import { useTable } from '../table.ts';

/** The result of a figure's latest roll, shown over its head for a moment. */
export function RollBubble({ speaker, above }: { speaker: string; above: number }) {
  const message = useTable().rolls.latest.value;
  if (!message?.roll || message.speaker !== speaker) return null;
  const { total, outcome } = message.roll;
  return (
    <g key={message.id} aria-hidden="true" class={`roll-bubble${outcome ? ` outcome-${outcome}` : ''}`}>
      <g transform={`translate(0, ${-above - 30})`}>
        <path class="face" d="M0 -20L17.5 -10V10L0 20L-17.5 10V-10Z" />
        <text dy=".36em">{total}</text>
      </g>
    </g>
  );
}
