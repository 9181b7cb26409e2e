import { useSignal } from '@preact/signals';
import type { Actor, Item } from '../../world/state.ts';
import { activeScene, useTable } from '../table.ts';

/** The actions of an actor that affect others: weapons, spells, features and potions. */
export function ItemActions({ actor }: { actor: Actor }) {
  const { state, isLive, perform } = useTable();
  const target = useSignal('');
  const items = actor.items.filter((item) => item.effect && isAtHand(item));
  if (items.length === 0) return null;
  const others = activeScene(state.value)?.tokens ?? [];
  const use = (item: Item) =>
    perform({
      kind: 'operation',
      name: operationFor(item),
      parameters: {
        actorUuid: actor.uuid,
        abilityUuid: item.uuid,
        ...(target.value && { targetUuid: target.value }),
      },
    });
  return (
    <>
      <h3>Actions</h3>
      <label class="target">
        <span>Target</span>
        <select value={target} onChange={(event) => (target.value = event.currentTarget.value)}>
          <option value="">nobody</option>
          {others.map((token) => (
            <option key={token.uuid} value={token.uuid}>
              {token.name}
            </option>
          ))}
        </select>
      </label>
      <ul class="item-actions">
        {items.map((item) => (
          <li key={item.uuid}>
            <button class="check" disabled={!isLive.value} title={item.description} onClick={() => use(item)}>
              <span class="name">{item.name}</span>
              <small>{detailOf(item)}</small>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function isAtHand(item: Item): boolean {
  if (item.type === 'weapon') return item.equipped;
  if (item.spell) return item.spell.level === 0 || item.spell.prepared;
  return item.quantity > 0;
}

function operationFor({ type }: Item): string {
  if (type === 'spell') return 'use-spell';
  return type === 'feat' ? 'use-feature' : 'use-item';
}

function detailOf({ spell, charges, quantity, type }: Item): string {
  if (spell) return spell.level === 0 ? 'cantrip' : `level ${spell.level}`;
  if (charges) return `${charges.value} of ${charges.max}`;
  return type === 'consumable' && quantity > 1 ? `× ${quantity}` : '';
}
