import { createRequire } from 'node:module';
import type { BrowserName, CompatData, Identifier, SimpleSupportStatement } from '@mdn/browser-compat-data';
import postcss from 'postcss';
import { parseSync } from 'vite';
import { supportedBrowsers } from '#start/supported-browsers.ts';

const bcd = createRequire(import.meta.url)('@mdn/browser-compat-data') as CompatData;
const names: Record<string, BrowserName> = {
  chrome: 'chrome',
  edge: 'edge',
  firefox: 'firefox',
  safari: 'safari',
  ios_saf: 'safari_ios',
};

const supported = supportedBrowsers();

/** Supported browsers without this feature, such as `safari 17`. Features without data count as known everywhere. */
function lacking(feature: Identifier | undefined): string[] {
  const support = feature?.__compat?.support;
  if (support === undefined) return [];
  return supported
    .filter(({ name, version }) => {
      const statements = [support[names[name] ?? 'chrome'] ?? []].flat() as SimpleSupportStatement[];
      return !statements.some(
        ({ version_added: added, version_removed: removed, prefix, flags, alternative_name: other }) =>
          !prefix && !flags && !other && typeof added === 'string' && numberOf(added) <= version && !removed,
      );
    })
    .map(({ name, version }) => `${name} ${version}`);
}

/** `preview` is later than all versions; `≤79` is 79. */
function numberOf(version: string): number {
  const [major = 'x', minor = '0'] = version.replace('≤', '').split('.');
  return Number(`${major}.${minor.padStart(2, '0')}`) || Infinity;
}

const { builtins } = bcd.javascript as Identifier & { builtins: Identifier };
const globals = new Map<string, Identifier>();
const members = new Map<string, Identifier[]>();
collect(bcd.api);
collect(builtins);
for (const name of Object.keys(bcd.api.Window ?? {}).concat(Object.keys(bcd.api.WindowOrWorkerGlobalScope ?? {}))) {
  const feature = bcd.api.Window?.[name] ?? bcd.api.WindowOrWorkerGlobalScope?.[name];
  if (feature && !name.includes('_')) globals.set(name, feature);
}

function partsOf(feature: Identifier): [string, Identifier][] {
  return Object.entries(feature).filter(([name]) => name !== '__compat') as [string, Identifier][];
}

function collect(group: Identifier): void {
  for (const [name, feature] of partsOf(group)) {
    globals.set(name, feature);
    addMembers(feature);
  }
}

function addMembers(owner: Identifier): void {
  for (const [key, feature] of partsOf(owner)) {
    const name = key.replace(/_static$/, '');
    if (name.includes('_')) continue;
    members.set(name, [...(members.get(name) ?? []), feature]);
    addMembers(feature);
  }
}

const instances: Record<string, string> = { document: 'Document', navigator: 'Navigator', caches: 'CacheStorage' };

export type Finding = { name: string; line: number; lacking: string[] };
type Node = { type: string; start: number } & Record<string, unknown>;

/** Names of properties that scripts declare themselves: a use of one says nothing of the browser. */
export function ownNames(code: string): string[] {
  return [...code.matchAll(/(?:^|[\s{(,])(?:async |readonly |get )?([a-z]\w*)\??(?=[:(,<]| ?[}=])/gm)].map(
    ([, name]) => name ?? '',
  );
}

/** APIs of a script that a supported browser lacks, unless the script asks for them first. */
export function findInScript(path: string, code: string, own: ReadonlySet<string> = new Set()): Finding[] {
  const { program, errors } = parseSync(path, code);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const declared = new Set<string>();
  const asked = new Set<string>();
  const used: { name: string; node: Node; lacking: string[] }[] = [];
  visit(program as unknown as Node, (node, parent) => {
    if (node.type.startsWith('TS'))
      return (
        node.type === 'TSAsExpression' || node.type === 'TSNonNullExpression' || node.type === 'TSSatisfiesExpression'
      );
    const name = node['name'];
    if (node.type === 'Identifier' && typeof name === 'string') {
      if (isDeclaration(node, parent)) declared.add(name);
      else if (!isKey(node, parent)) use(name, node, lacking(globals.get(name)));
    }
    if (node.type === 'MemberExpression' && node['computed'] === false) {
      const property = (node['property'] as Node)['name'] as string;
      const owner = ownerOf(node['object'] as Node);
      const known = owner && (owner[`${property}_static`] ?? owner[property]);
      const all = known ? [known] : own.has(property) ? [] : (members.get(property) ?? []);
      const missing = all.map(lacking);
      if (node['optional'] || (parent?.type === 'CallExpression' && parent['optional'])) asked.add(property);
      if (isAsked(node, parent)) asked.add(property);
      else if (all.length > 0 && missing.every((list) => list.length > 0)) use(property, node, missing[0] ?? []);
    }
    if (node.type === 'BinaryExpression' && node['operator'] === 'in')
      asked.add(String((node['left'] as Node)['value']));
    if (node.type === 'UnaryExpression' && node['operator'] === 'typeof') {
      const { name: global, property } = node['argument'] as { name?: string; property?: { name?: string } };
      asked.add(global ?? property?.name ?? '');
    }
    if (node.type === 'ForOfStatement' && node['await'] === true)
      use('for await', node, lacking(bcd.api.ReadableStream?.['@@asyncIterator']));
    if (node.type === 'Literal' && /^(?:en-CA|sv|sv-SE|fr-CA)$/.test(String(node['value'])))
      use(`dates of ${String(node['value'])}`, node, ['older ICU']);
    return true;
  });
  if (asked.has('requestIdleCallback')) asked.add('cancelIdleCallback');
  return used
    .filter(({ name, lacking: list }) => list.length > 0 && !declared.has(name) && !asked.has(name))
    .map(({ name, node, lacking: list }) => ({
      name,
      line: code.slice(0, node.start).split('\n').length,
      lacking: list,
    }));

  function use(name: string, node: Node, list: string[]): void {
    used.push({ name, node, lacking: list });
  }
}

function ownerOf(object: Node): Identifier | undefined {
  const name = String(object['name'] ?? '');
  if (object.type !== 'Identifier') return undefined;
  if (['window', 'self', 'globalThis'].includes(name)) return bcd.api.Window;
  const instance = instances[name];
  return instance === undefined ? (builtins[name] ?? bcd.api[name]) : bcd.api[instance];
}

function isAsked(node: Node, parent: Node | undefined): boolean {
  if (parent === undefined) return false;
  const isTest = ['IfStatement', 'ConditionalExpression'].includes(parent.type) && parent['test'] === node;
  const isAnd = parent.type === 'LogicalExpression' && parent['left'] === node;
  const isCompared = parent.type === 'BinaryExpression' && /^[!=]==?$/.test(String(parent['operator']));
  return isTest || isAnd || isCompared || (parent.type === 'UnaryExpression' && parent['operator'] === '!');
}

function isKey(node: Node, parent: Node | undefined): boolean {
  if (parent?.type === 'MemberExpression') return parent['property'] === node && parent['computed'] === false;
  if (parent?.type === 'Property' || parent?.type === 'PropertyDefinition' || parent?.type === 'MethodDefinition')
    return parent['key'] === node && parent['value'] !== node;
  return ['LabeledStatement', 'BreakStatement', 'ExportSpecifier', 'ImportSpecifier'].includes(parent?.type ?? '');
}

function isDeclaration(node: Node, parent: Node | undefined): boolean {
  if (parent === undefined) return false;
  if (
    /^(?:Import\w*Specifier|Function\w*|ArrowFunctionExpression|Class\w*|CatchClause|RestElement|ArrayPattern)$/.test(
      parent.type,
    )
  )
    return parent['body'] !== node && parent['superClass'] !== node;
  if (parent.type === 'VariableDeclarator') return parent['id'] === node;
  if (parent.type === 'AssignmentPattern') return parent['left'] === node;
  return parent.type === 'Property' && parent['value'] === node && parent['shorthand'] === true;
}

function visit(node: Node, enter: (node: Node, parent: Node | undefined) => boolean, parent?: Node): void {
  if (!enter(node, parent)) return;
  for (const value of Object.values(node))
    for (const child of [value].flat())
      if (child !== null && typeof child === 'object' && typeof (child as Node).type === 'string')
        visit(child as Node, enter, node);
}

/** Properties, at-rules and selectors of a style sheet that a supported browser lacks, outside of `@supports`. */
export function findInStyles(code: string): Finding[] {
  const found: Finding[] = [];
  const { properties, 'at-rules': atRules, selectors } = bcd.css;
  postcss.parse(code).walk((node) => {
    for (let above = node.parent; above; above = above.parent as typeof above)
      if (above.type === 'atrule' && (above as postcss.AtRule).name === 'supports') return;
    const line = node.source?.start?.line ?? 0;
    const add = (name: string, feature: Identifier | undefined) => {
      if (/^:?-/.test(name)) return;
      const list = lacking(feature);
      if (list.length > 0) found.push({ name, line, lacking: list });
    };
    if (node.type === 'atrule') add(`@${node.name}`, atRules?.[node.name]);
    if (node.type === 'rule')
      for (const [, name = ''] of node.selector.matchAll(/(?<!\\):{1,2}([a-z-]+)/g)) add(`:${name}`, selectors?.[name]);
    if (node.type !== 'decl' || node.prop.startsWith('--')) return;
    const siblings = node.parent?.nodes.map((one) => (one.type === 'decl' ? one.prop : '')) ?? [];
    if (siblings.includes(`-webkit-${node.prop}`)) return;
    const property = properties?.[node.prop];
    add(node.prop, property);
    for (const word of node.value.match(/[a-z][a-z-]*/g) ?? []) add(`${node.prop}: ${word}`, property?.[word]);
  });
  return found;
}
