interface Callee {
  object?: { name?: string; property?: { name?: string } };
}

/** As much as is looked at of a place in the syntax tree. */
export interface SyntaxPath {
  node: {
    type: string;
    value?: unknown;
    quasis?: { value: { raw: string } }[];
    callee?: Callee;
    expression?: { callee?: Callee };
  };
}

/** Why a place is not mutated, or undefined. Texts for people and lines of the log are no behaviour that a test guards. */
export function reasonToIgnore({ node }: SyntaxPath): string | undefined {
  if (node.type === 'StringLiteral' && isProse(String(node.value))) return 'a text for people';
  if (node.type === 'TemplateLiteral' && isProse((node.quasis ?? []).map(({ value }) => value.raw).join('')))
    return 'a text for people';
  if (isLog(node.callee) || isLog(node.expression?.callee)) return 'a line of the log';
  return undefined;
}

const isLog = (callee?: Callee): boolean =>
  (callee?.object?.name ?? callee?.object?.property?.name) === 'log';

/** Two words with a space between them. */
const isProse = (text: string): boolean => /\p{L}[,.:;]? \p{L}/u.test(text);
