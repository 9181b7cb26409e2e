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
    properties?: { key?: { name?: string } }[];
    left?: { object?: { type?: string }; property?: { name?: string } };
  };
}

/** Why a place is not mutated, or undefined. What only people and the log read is no behaviour that a test guards. */
export function reasonToIgnore({ node }: SyntaxPath): string | undefined {
  if (node.type === 'StringLiteral' && isProse(String(node.value))) return 'a text for people';
  if (node.type === 'TemplateLiteral' && isProse((node.quasis ?? []).map(({ value }) => value.raw).join('')))
    return 'a text for people';
  if (isLog(node.callee) || isLog(node.expression?.callee)) return 'a line of the log';
  if (isCause(node.properties)) return 'a cause for the log';
  if (node.left?.object?.type === 'ThisExpression' && node.left.property?.name === 'name')
    return 'a name for the log';
  return undefined;
}

/** `{ cause }` alone, as errors take it. */
const isCause = (properties: SyntaxPath['node']['properties']): boolean =>
  properties?.length === 1 && properties[0]?.key?.name === 'cause';

const isLog = (callee?: Callee): boolean =>
  (callee?.object?.name ?? callee?.object?.property?.name) === 'log';

/** Two words with a space between them. */
const isProse = (text: string): boolean => /\p{L}[,.:;]? \p{L}/u.test(text);
