type Child = Node | string | undefined | false;

interface Properties {
  class?: string;
  id?: string;
  for?: string;
  href?: string;
  value?: string;
  title?: string;
  role?: string;
  type?: string;
  readonly?: boolean;
  onclick?: () => void;
  oninput?: (value: string) => void;
}

/** Makes elements of one document: windows of the tabletop may stand in a browser window of their own. What comes from outside is text, never HTML. */
export function elementsOf(document: Document) {
  return function element<N extends keyof HTMLElementTagNameMap>(
    name: N,
    { onclick, oninput, value, readonly, ...attributes }: Properties = {},
    ...children: Child[]
  ): HTMLElementTagNameMap[N] {
    const made = document.createElement(name);
    for (const [key, text] of Object.entries(attributes))
      if (text !== undefined) made.setAttribute(key, text);
    if (onclick) made.addEventListener('click', onclick);
    if (value !== undefined && 'value' in made) (made as HTMLInputElement).value = value;
    if (readonly) made.setAttribute('readonly', '');
    if (oninput) made.addEventListener('input', () => oninput((made as unknown as HTMLInputElement).value));
    made.append(
      ...children.filter((child): child is Node | string => child !== undefined && child !== false),
    );
    return made;
  };
}

export type MakeElement = ReturnType<typeof elementsOf>;
