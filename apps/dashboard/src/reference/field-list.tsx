import { inline } from './prose.tsx';
import type { SchemaField } from './schema-fields.ts';

/** Fields with what may stand in them; the fields of an object stand indented under it. */
export function FieldList({ fields, label }: { fields: readonly ShownField[]; label: string }) {
  return (
    <ul class="fields" aria-label={label}>
      {fields.map((field, index) => (
        <li key={index} class={`depth-${field.depth}`}>
          <p>
            <code class="field-name">{field.name}</code> <span class="muted">{field.type}</span>{' '}
            {field.place && <span class="muted">in {field.place}</span>}{' '}
            {field.isNeeded && <span class="needed">required</span>}
          </p>
          {field.description && <p>{inline(field.description)}</p>}
          {field.default !== undefined && (
            <p class="muted">
              Without it: <code>{JSON.stringify(field.default)}</code>
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

export interface ShownField extends Omit<SchemaField, 'isRequired'> {
  /** Only for what goes in: what comes out is just there. */
  isNeeded?: boolean;
  /** Where it stands, but for the body. */
  place?: string;
}
