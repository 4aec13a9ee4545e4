import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';

type Node = { type: string } & Record<string, unknown>;
type Module = { path: string; program: Node; named: Map<string, Node> };

/** The literal class names of JSX in a folder, each with the files that use it. Names composed of parts are left out. */
export function usedClasses(folder: string): Map<string, Set<string>> {
  const modules = globSync('**/*.{ts,tsx}', { cwd: folder, exclude: ['**/*.test.{ts,tsx}'] }).map((path): Module => {
    const program = parseSync(path, readFileSync(join(folder, path), 'utf8')).program as unknown as Node;
    const named = new Map<string, Node>();
    walk(program, (node) => {
      const name = (node['id'] as Node | null | undefined)?.['name'];
      const value = node.type === 'FunctionDeclaration' ? node : node.type === 'VariableDeclarator' && node['init'];
      if (typeof name === 'string' && value) named.set(name, value as Node);
    });
    return { path, program, named };
  });
  const everywhere = new Map(modules.flatMap(({ named }) => [...named]));
  const used = new Map<string, Set<string>>();
  for (const { path, program, named } of modules) {
    const find = (name: string) => named.get(name) ?? everywhere.get(name);
    walk(program, (node) => {
      const key = (node['name'] ?? node['key']) as Node | undefined;
      const isClass = ['JSXAttribute', 'Property'].includes(node.type) && key?.['name'] === 'className';
      for (const name of isClass ? namesIn(node['value'], find) : [])
        used.set(name, (used.get(name) ?? new Set()).add(path));
    });
  }
  return used;
}

/** The class names that an expression may yield; empty for what another module or a parent decides. */
function namesIn(value: unknown, find: (name: string) => Node | undefined, seen = new Set<Node>()): string[] {
  const node = value as Node | null | undefined;
  if (!node || seen.has(node)) return [];
  seen.add(node);
  const all = (...parts: unknown[]) => parts.flat().flatMap((part) => namesIn(part, find, seen));
  switch (node.type) {
    case 'Literal':
      return typeof node['value'] === 'string' ? split(node['value']) : [];
    case 'TemplateLiteral': {
      const texts = (node['quasis'] as { value: { cooked: string } }[]).map(({ value: { cooked } }) => cooked);
      // A name that touches an expression is a part of a longer one.
      const whole = texts.map((text, index) =>
        text.replace(index > 0 ? /^\S+/ : /^$/, '').replace(index < texts.length - 1 ? /\S+$/ : /^$/, ''),
      );
      const isApart = (index: number) => /(^|\s)$/.test(texts[index] ?? '') && /^(\s|$)/.test(texts[index + 1] ?? '');
      return [...whole.flatMap(split), ...all((node['expressions'] as Node[]).filter((_, index) => isApart(index)))];
    }
    case 'JSXExpressionContainer':
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return all(node['expression']);
    case 'ConditionalExpression':
      return all(node['consequent'], node['alternate']);
    case 'LogicalExpression':
      return all(node['operator'] === '&&' ? [] : node['left'], node['right']);
    case 'Identifier':
      return all(find(node['name'] as string));
    case 'CallExpression': {
      const name = (node['callee'] as Node)['name'];
      if (name === 'classNames') return all(node['arguments']);
      return typeof name === 'string' ? all(find(name)) : [];
    }
    case 'FunctionDeclaration':
    case 'ArrowFunctionExpression': {
      const body = node['body'] as Node;
      const returned: unknown[] = body.type === 'BlockStatement' ? [] : [body];
      walk(body, (inner) => inner.type === 'ReturnStatement' && returned.push(inner['argument']));
      return all(returned);
    }
    case 'MemberExpression': {
      const wanted = node['computed'] === true ? undefined : (node['property'] as Node)['name'];
      return all(valuesOf(node['object'] as Node, wanted, find));
    }
    case 'ArrayExpression':
      return all(node['elements']);
    case 'ObjectExpression':
      return all(valuesOf(node, undefined, find));
    default:
      return [];
  }
}

/** The values of an object's properties: of one name, or all. `object[key].name` is looked up in each value. */
function valuesOf(object: Node, wanted: unknown, find: (name: string) => Node | undefined): unknown[] {
  if (object.type === 'Identifier') {
    const found = find(object['name'] as string);
    return found ? valuesOf(found, wanted, find) : [];
  }
  if (object.type === 'TSAsExpression' || object.type === 'TSSatisfiesExpression')
    return valuesOf(object['expression'] as Node, wanted, find);
  if (object.type === 'MemberExpression' && object['computed'] === true)
    return valuesOf(object['object'] as Node, undefined, find).flatMap((value) =>
      valuesOf(value as Node, wanted, find),
    );
  if (object.type === 'ArrayExpression') return wanted === undefined ? (object['elements'] as unknown[]) : [];
  if (object.type !== 'ObjectExpression') return [];
  return (object['properties'] as Node[])
    .filter(({ key }) => wanted === undefined || (key as Node | undefined)?.['name'] === wanted)
    .map(({ value }) => value);
}

function split(text: string): string[] {
  return text.split(/\s+/).filter((name) => name !== '');
}

function walk(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) for (const one of value) walk(one, visit);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  if ('type' in value) visit(value as Node);
  for (const part of Object.values(value)) walk(part, visit);
}
