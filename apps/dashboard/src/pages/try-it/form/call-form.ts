import type { Operation } from '@tabletop-relay/contract';
import { draftOf, fieldsOf, valueOf } from './form-field.ts';
import type { Draft, FormField } from './form-field.ts';

/** The form of one operation as it is filled in. */
export interface CallForm {
  operation: Operation;
  fields: readonly FormField[];
  drafts: Readonly<Record<string, Draft>>;
  userId: string;
}

/**
 * The form with these parameters in it, else with the operation's example, so that it can be sent as it is; one that destroys
 * begins empty.
 */
export function startForm(
  operation: Operation | undefined,
  given?: Readonly<Record<string, unknown>>,
): CallForm {
  if (!operation) throw new Error('There is no operation');
  const fields = fieldsOf(operation);
  // Nothing is destroyed because it stood in the form already.
  const values: Readonly<Record<string, unknown>> =
    given ?? (operation.effect === 'destroys' ? {} : operation.example.parameters);
  const { userId } = values;
  return {
    operation,
    fields,
    drafts: Object.fromEntries(fields.map((field) => [field.name, draftOf(field, values[field.name])])),
    userId: typeof userId === 'string' ? userId : '',
  };
}

interface FormReading {
  parameters: Record<string, unknown>;
  userId: string | undefined;
  /** The first field whose text is not what it should be. */
  badField?: string;
}

/** Values that the form sends. */
export function readForm({ fields, drafts, userId }: CallForm): FormReading {
  const reading: FormReading = { parameters: {}, userId: userId.trim() || undefined };
  for (const field of fields) {
    try {
      const value = valueOf(field, drafts[field.name] ?? '');
      if (value !== undefined) reading.parameters[field.name] = value;
    } catch {
      reading.badField ??= field.name;
    }
  }
  return reading;
}
