type Child = Node | string | undefined | false;

type Attribute =
  | 'class'
  | 'id'
  | 'for'
  | 'href'
  | 'title'
  | 'role'
  | 'type'
  | 'tabindex'
  | 'aria-label'
  | 'aria-labelledby'
  | 'aria-describedby'
  | 'aria-controls'
  | 'aria-selected'
  | 'aria-pressed'
  | 'aria-hidden';

interface Properties extends Partial<Record<Attribute, string>> {
  value?: string;
  readonly?: boolean;
  isOpen?: boolean;
  onclick?: (event: MouseEvent) => void;
  onkeydown?: (event: KeyboardEvent) => void;
  oninput?: (value: string) => void;
  ontoggle?: (isOpen: boolean) => void;
}

/** Makes elements of one document: windows of the tabletop may stand in a browser window of their own. What comes from outside is text, never HTML. */
export function elementsOf(document: Document) {
  return function element<N extends keyof HTMLElementTagNameMap>(
    name: N,
    { onclick, onkeydown, oninput, ontoggle, value, readonly, isOpen, ...attributes }: Properties = {},
    ...children: Child[]
  ): HTMLElementTagNameMap[N] {
    const made = document.createElement(name) as HTMLElementTagNameMap[N] & HTMLElement;
    for (const [key, text] of Object.entries(attributes))
      if (text !== undefined) made.setAttribute(key, text);
    if (onclick) made.addEventListener('click', onclick);
    if (onkeydown) made.addEventListener('keydown', onkeydown);
    made.append(
      ...children.filter((child): child is Node | string => child !== undefined && child !== false),
    );
    if (value !== undefined && 'value' in made) (made as unknown as HTMLInputElement).value = value;
    if (readonly) made.setAttribute('readonly', '');
    if (isOpen) made.setAttribute('open', '');
    if (oninput) made.addEventListener('input', () => oninput((made as unknown as HTMLInputElement).value));
    if (ontoggle)
      made.addEventListener('toggle', () => ontoggle((made as unknown as HTMLDetailsElement).open));
    return made;
  };
}

export type MakeElement = ReturnType<typeof elementsOf>;
