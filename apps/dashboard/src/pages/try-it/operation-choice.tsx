import { operationGroups, operations } from '@tabletop-relay/contract';
import type { Operation } from '@tabletop-relay/contract';
import { Field } from '../../parts/form/field.tsx';

interface OperationChoiceProps {
  operation: Operation;
  onChange: (operation: Operation) => void;
}

export function OperationChoice({ operation, onChange }: OperationChoiceProps) {
  return (
    <Field
      label="Operation"
      hint={
        <>
          <code>
            {operation.method} {operation.path}
          </code>
          {operation.kind === 'command' && ' This changes the world.'}
          {operation.description && ` ${operation.description.replaceAll('`', '')}`}
        </>
      }
    >
      {(attributes) => (
        <select
          {...attributes}
          value={operation.name}
          onChange={(event) => {
            const next = operations.find(({ name }) => name === event.currentTarget.value);
            if (next) onChange(next);
          }}
        >
          {Object.values(operationGroups).map((group) => (
            <optgroup label={group.title} key={group.name}>
              {operations
                .filter((one) => one.group === group.name)
                .map((one) => (
                  <option value={one.name} key={one.name}>
                    {one.summary}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      )}
    </Field>
  );
}
