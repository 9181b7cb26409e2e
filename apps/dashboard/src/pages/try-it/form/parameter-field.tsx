import { Field } from '../../../parts/form/field.tsx';
import type { Draft, FormField } from './form-field.ts';
import type { PickChoice } from './picks.ts';

interface ParameterFieldProps {
  field: FormField;
  draft: Draft;
  /** What the world has for it, once it was asked. */
  choices?: readonly PickChoice[] | undefined;
  /** Asks the world. */
  onAsk?: (() => void) | undefined;
  onChange: (draft: Draft) => void;
}

/** The input that fits a parameter's schema. */
export function ParameterField(props: ParameterFieldProps) {
  const { field, draft, onChange } = props;
  switch (field.kind) {
    case 'flag':
      return (
        <label class="choice flag">
          <input
            type="checkbox"
            checked={draft === true}
            onChange={(event) => onChange(event.currentTarget.checked)}
          />
          <span>
            <code>{field.name}</code> <small class="muted">{plain(field.description)}</small>
          </span>
        </label>
      );
    case 'choices':
      return <Choices {...props} />;
    case 'amounts':
      return <Amounts {...props} />;
    default:
      return <Single {...props} />;
  }
}

const plain = (text: string): string => text.replaceAll('`', '');
const label = (field: FormField): string => (field.isRequired ? `${field.name} (needed)` : field.name);

function Single({ field, draft, choices, onAsk, onChange }: ParameterFieldProps) {
  const value = draft as string;
  const hint = {
    lines: 'One on each line. ',
    json: 'As JSON. ',
  }[field.kind as string];
  return (
    <Field label={label(field)} hint={`${hint ?? ''}${plain(field.description)}`}>
      {(attributes) => {
        if (field.kind === 'choice') {
          return (
            <select
              {...attributes}
              required={field.isRequired}
              value={value}
              onChange={(event) => onChange(event.currentTarget.value)}
            >
              {(!field.isRequired || value === '') && <option value="">Choose…</option>}
              {field.options.map((option) => (
                <option value={option} key={option}>
                  {labelOf(field, option)}
                </option>
              ))}
            </select>
          );
        }
        if (field.kind === 'lines' || field.kind === 'json') {
          return (
            <textarea
              {...attributes}
              rows={3}
              spellcheck={false}
              required={field.isRequired}
              value={value}
              onInput={(event) => onChange(event.currentTarget.value)}
            />
          );
        }
        const list = choices && `${attributes.id}-choices`;
        const input = (
          <input
            {...attributes}
            list={list}
            onFocus={onAsk}
            {...(field.kind === 'number'
              ? ({ type: 'number', step: 'any' } as const)
              : ({ type: 'text' } as const))}
            spellcheck={false}
            autoComplete="off"
            required={field.isRequired}
            value={value}
            onInput={(event) => onChange(event.currentTarget.value)}
          />
        );
        return (
          <>
            {input}
            {choices && (
              <datalist id={list}>
                {choices.map((choice) => (
                  <option value={choice.value} key={choice.value}>
                    {choice.label}
                  </option>
                ))}
              </datalist>
            )}
          </>
        );
      }}
    </Field>
  );
}

/** "Perception (prc)", where the code has a name. */
const labelOf = ({ labels }: FormField, option: string): string =>
  labels[option] ? `${labels[option]} (${option})` : option;

function Choices({ field, draft, onChange }: ParameterFieldProps) {
  const chosen = draft as readonly string[];
  return (
    <fieldset>
      <legend>{label(field)}</legend>
      <div class="checks">
        {field.options.map((option) => (
          <label class="choice" key={option}>
            <input
              type="checkbox"
              checked={chosen.includes(option)}
              onChange={(event) =>
                onChange(
                  event.currentTarget.checked ? [...chosen, option] : chosen.filter((one) => one !== option),
                )
              }
            />{' '}
            {labelOf(field, option)}
          </label>
        ))}
      </div>
      <p class="hint">{plain(field.description)}</p>
    </fieldset>
  );
}

function Amounts({ field, draft, onChange }: ParameterFieldProps) {
  const amounts = draft as Record<string, string>;
  return (
    <fieldset>
      <legend>{label(field)}</legend>
      <div class="amounts">
        {field.options.map((name) => (
          <label key={name}>
            {name}
            <input
              type="number"
              inputMode="numeric"
              value={amounts[name] ?? ''}
              onInput={(event) => onChange({ ...amounts, [name]: event.currentTarget.value })}
            />
          </label>
        ))}
      </div>
      <p class="hint">{plain(field.description)}</p>
    </fieldset>
  );
}
