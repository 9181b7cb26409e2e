import path from 'node:path';
import { SyntaxKind } from 'typescript/unstable/ast';
import type { AsExpression, Expression, Node, ParameterDeclaration } from 'typescript/unstable/ast';
import {
  isAsExpression,
  isBinaryExpression,
  isBindingElement,
  isCallExpression,
  isElementAccessExpression,
  isIdentifier,
  isObjectLiteralExpression,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isStringLiteralLikeNode,
} from 'typescript/unstable/ast/is';
import { API, SymbolFlags } from 'typescript/unstable/sync';
import type { Checker, Project, Symbol, Type } from 'typescript/unstable/sync';

/** A place where the code touches what a library, or Node, does not promise. */
interface Finding {
  rule: 'member' | 'assignment' | 'cast';
  /** File and line. */
  at: string;
  text: string;
}

/**
 * Finds what reaches into libraries and Node past their public types, by TypeScript's own checker:
 * - `member`: a member that begins with `_` and is declared there, or a private one that is named in brackets.
 * - `assignment`: a method that is declared there and gets another function, also by `Object` or `Reflect`.
 * - `cast`: a value whose type is declared there, as a type of ours with a member that is not, or is private, there; or as one that
 *   has members of any name.
 */
export function findPrivateParts(folder: string): Finding[] {
  const config = path.join(folder, 'tsconfig.json');
  const api = new API({ cwd: folder });
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    if (!project) throw new Error(`${config} cannot be read`);
    return search(project, folder);
  } finally {
    api.close();
  }
}

interface Suspects {
  /** Names of members that begin with `_` or stand in brackets. */
  named: Node[];
  /** Names that begin with `_`, in patterns that take values apart and in calls of `Reflect`. */
  unpacked: { pattern: Node; name: Node }[];
  assigned: Expression[];
  /** Values and what is assigned to them by functions of `Object` and `Reflect`. */
  merged: { target: Expression; names: string[] }[];
  casts: { from: Expression; cast: AsExpression }[];
}

function search({ program, checker, rootFiles }: Project, folder: string): Finding[] {
  const suspects: Suspects = { named: [], unpacked: [], assigned: [], merged: [], casts: [] };
  for (const file of rootFiles) {
    const visit = (node: Node): void => {
      suspect(node, suspects);
      node.forEachChild(visit);
    };
    program.getSourceFile(file)?.forEachChild(visit);
  }
  const findings: Finding[] = [];
  const report = (rule: Finding['rule'], node: Node): void => {
    const source = node.getSourceFile();
    const start = node.getStart(source);
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    const text = source.text.slice(start, node.end).replaceAll(/\s+/g, ' ').slice(0, 100);
    findings.push({ rule, at: `${path.relative(folder, source.fileName)}:${line}`, text });
  };
  const { named, unpacked, assigned, merged, casts } = suspects;
  for (const [index, symbol] of checker.getSymbolAtLocation(named).entries()) {
    const name = named[index]!;
    if (isForeign(symbol) && (isUnderscored(name) || isPrivate(symbol))) report('member', name);
  }
  for (const { pattern, name } of unpacked) {
    const type = checker.getTypeAtLocation(pattern);
    if (type && isForeign(checker.getPropertyOfType(type, textOf(name)))) report('member', name);
  }
  for (const [index, symbol] of checker.getSymbolAtLocation(assigned.map(nameOf)).entries())
    if (isForeignMethod(symbol)) report('assignment', assigned[index]!);
  for (const { target, names } of merged) {
    const type = checker.getTypeAtLocation(target);
    if (type && names.some((name) => isForeignMethod(checker.getPropertyOfType(type, name))))
      report('assignment', target);
  }
  for (const [index, type] of checker.getTypeAtLocation(casts.map(({ from }) => from)).entries()) {
    const { cast } = casts[index]!;
    if (type && reachesPrivateParts(checker, type, cast)) report('cast', cast);
  }
  return findings;
}

function suspect(node: Node, { named, unpacked, assigned, merged, casts }: Suspects): void {
  if (isPropertyAccessExpression(node) || isElementAccessExpression(node)) {
    const name = nameOf(node);
    if (isUnderscored(name) || isStringLiteralLikeNode(name)) named.push(name);
  } else if (isBindingElement(node)) {
    const name = node.propertyName ?? node.name;
    if (name && isUnderscored(name)) unpacked.push({ pattern: node.parent, name });
  } else if (isBinaryExpression(node)) {
    if (assignments.has(node.operatorToken.kind) && isAccess(node.left)) assigned.push(node.left);
  } else if (isCallExpression(node)) {
    const [target, ...others] = node.arguments;
    const called = written(node.expression);
    if (!target || !/^(?:Object|Reflect)\.\w+$/.test(called)) return;
    const [name] = others;
    if (name && isUnderscored(name)) unpacked.push({ pattern: target, name });
    if (/\.(?:assign|defineProperties)$/.test(called))
      merged.push({ target, names: others.flatMap(namesIn) });
    else if (name && /\.(?:set|defineProperty)$/.test(called)) merged.push({ target, names: [textOf(name)] });
  } else if (isAsExpression(node) && !isCast(node.parent)) {
    const from = insideOf(node);
    if (from.kind !== SyntaxKind.ObjectLiteralExpression) casts.push({ from, cast: node });
  }
}

const assignments = new Set([
  SyntaxKind.EqualsToken,
  SyntaxKind.QuestionQuestionEqualsToken,
  SyntaxKind.BarBarEqualsToken,
  SyntaxKind.AmpersandAmpersandEqualsToken,
]);

const isAccess = (node: Node): boolean => isPropertyAccessExpression(node) || isElementAccessExpression(node);
function isCast(node: Node): boolean {
  return isAsExpression(node) || (isParenthesizedExpression(node) && isCast(node.parent));
}

function insideOf(node: Expression): Expression {
  return isAsExpression(node) || isParenthesizedExpression(node) ? insideOf(node.expression) : node;
}

function nameOf(node: Node): Node {
  if (isPropertyAccessExpression(node)) return node.name;
  return isElementAccessExpression(node) ? node.argumentExpression : node;
}

function textOf(node: Node): string {
  return isIdentifier(node) || isStringLiteralLikeNode(node) ? node.text : '';
}

const isUnderscored = (name: Node): boolean => textOf(name).startsWith('_');

const written = (node: Node): string => node.getSourceFile().text.slice(node.getStart(), node.end);

function namesIn(node: Expression): string[] {
  if (!isObjectLiteralExpression(node)) return [];
  return node.properties.flatMap((property) =>
    'name' in property && property.name ? [textOf(property.name as Node)] : [],
  );
}

const isLanguage = (file: string): boolean => /\/lib\.[\w.]+\.d\.ts$/.test(file);

/** Whether it is declared by a library or by Node. What the language and browsers have, such as `Date.now`, has no private parts. */
function isForeign(symbol: Symbol | undefined): symbol is Symbol {
  const files = symbol?.declarations.map((declared) => declared.path) ?? [];
  return files.some((file) => file.includes('/node_modules/')) && !files.some(isLanguage);
}

function isForeignMethod(symbol: Symbol | undefined): boolean {
  return isForeign(symbol) && (symbol.flags & SymbolFlags.Method) !== 0;
}

const partsOf = (type: Type): readonly Type[] =>
  type.isUnionType() || type.isIntersectionType() ? type.getTypes().flatMap(partsOf) : [type];

function reachesPrivateParts(checker: Checker, from: Type, cast: AsExpression): boolean {
  const parts = partsOf(from);
  if (!parts.some((part) => isForeign(part.getSymbol()) && !isSchema(part))) return false;
  const to = checker.getTypeAtLocation(cast);
  if (!to) return false;
  const hasAnyName = (type: Type): boolean => checker.getIndexInfosOfType(type).length > 0;
  if (hasAnyName(to) && !parts.some(hasAnyName)) return true;
  return checker.getPropertiesOfType(to).some((property) => {
    if (isInLibrary(property)) return false;
    return !parts.some((part) => isPublic(checker.getPropertyOfType(part, property.name)));
  });
}

/** A JSON schema is data, whose keywords are public whatever its type tells of them. */
function isSchema(type: Type): boolean {
  return (
    type.getSymbol()?.declarations.some(({ path: file }) => file.includes('/node_modules/typebox/')) ?? false
  );
}

const isInLibrary = (symbol: Symbol): boolean =>
  symbol.declarations.some((declared) => declared.path.includes('/node_modules/'));

function isPublic(symbol: Symbol | undefined): boolean {
  return symbol !== undefined && !isPrivate(symbol);
}

function isPrivate({ valueDeclaration }: Symbol): boolean {
  const modifiers = (valueDeclaration?.resolve() as ParameterDeclaration | undefined)?.modifiers ?? [];
  return modifiers.some(
    ({ kind }) => kind === SyntaxKind.PrivateKeyword || kind === SyntaxKind.ProtectedKeyword,
  );
}
