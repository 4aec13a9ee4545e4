import { parseAst } from 'vite';
import { type AllFacts, factsOf } from '../formats/format-facts.ts';
import type { Language } from '../formats/languages.ts';
import { factsMark, plainMark, richMark } from './mark-texts.ts';
import { type Token, casesOf, kinds, tokensOf } from './tokens.ts';

type Node = { type: string; start: number; end: number; [field: string]: unknown };
type Place = { start: number; end: number };
type Mark = Place & { isRich: boolean; id: string; values: Map<string, Place>; rest: Place[] };
type Find = (id: string) => string | undefined;

/**
 * Writes a built script with texts in place of its marks (mark-texts.ts): `"" + name + " follows you"`.
 * @param name for errors
 */
export function createWriter(script: string, name: string) {
  const hasMarks = script.includes(plainMark) || script.includes(richMark);
  const marks: Mark[] = [];
  if (hasMarks) collectMarks(parseAst(script) as unknown as Node, marks);

  /** @param find the translated message of an id */
  return (find: Find, language: Language): string => {
    const fail = (id: string, why: string): never => {
      throw new Error(`${name}, “${find(id) ?? id}” in ${language}: ${why}`);
    };
    const write = ({ start, end }: Place): string => {
      let [written, at] = ['', start];
      for (const mark of marks) {
        // Those in the values of another one are written with it.
        if (mark.start < at || mark.end > end) continue;
        written += script.slice(at, mark.start) + writeMark(mark);
        at = mark.end;
      }
      return written + script.slice(at, end);
    };
    const writeMark = ({ id, isRich, values, rest }: Mark): string => {
      const [components, rich] = isRich ? rest : [];
      const choose = rest[isRich ? 2 : 0];
      const valueOf = (value: string) => {
        const place = values.get(value) ?? fail(id, `there is no {${value}}`);
        const code = write(place);
        return /^[\w$.]+$/.test(code) ? code : `(${code})`;
      };
      /** Text, value, text … as `partsOf`. */
      const partsIn = (tokens: Token[]): { text: string[]; values: string[] } => {
        const parts: { text: string[]; values: string[] } = { text: [''], values: [] };
        const addText = (code: string) => {
          const before = parts.text.pop() ?? '';
          parts.text.push(before === '' ? code : `${before}+${code}`);
        };
        for (const token of joinText(tokens)) {
          if (typeof token === 'string') {
            addText(JSON.stringify(token));
            continue;
          }
          const [value, kind] = token;
          if (kind === undefined) {
            parts.values.push(valueOf(value));
            parts.text.push('');
            continue;
          }
          if (choose === undefined || !kinds.includes(kind)) fail(id, `${kind} is not known in the browser`);
          const ordinal = kind === 'selectordinal' ? ',1' : '';
          const cases = casesOf(token).map(([key, inner]) => {
            const shown = /^\w+$/.test(key) ? key : JSON.stringify(key);
            return `${shown}:${joined(partsIn(inner))}`;
          });
          addText(`${write(choose as Place)}(${valueOf(value)},{${cases.join()}}${ordinal})`);
        }
        return parts;
      };
      const joined = (parts: { text: string[]; values: string[] }): string => {
        const pieces = parts.text.flatMap((text, index) => [text, parts.values[index] ?? '']).filter(Boolean);
        // A value alone, or two of them, would not become text.
        return (parts.text.slice(0, 2).join('') === '' ? ['""', ...pieces] : pieces).join('+');
      };
      const message = find(id) ?? fail(id, 'the text is unknown');
      const parts = partsIn(tokensOf(message));
      if (!isRich)
        return tokensOf(message).length < 2 && parts.values.length === 0 ? joined(parts) : `(${joined(parts)})`;
      const list = parts.text.flatMap((text, index) => [text || '""', ...parts.values.slice(index, index + 1)]);
      return `${write(rich as Place)}([${list.join()}],${write(components as Place)})`;
    };
    return write({ start: 0, end: script.length })
      .replaceAll(new RegExp(`${factsMark}\\.(\\w+)`, 'g'), (_, name) =>
        JSON.stringify(factsOf(language)[name as keyof AllFacts]).replaceAll(/(?<=[{,])"(\w+)":/g, '$1:'),
      )
      .replaceAll('__language__', JSON.stringify(language));
  };
}

/** Text and `#` side by side are one text. */
function joinText(tokens: Token[]): Token[] {
  return tokens.reduce<Token[]>((joined, token) => {
    const before = joined.at(-1);
    if (typeof token !== 'string' || typeof before !== 'string') return [...joined, token];
    return [...joined.slice(0, -1), before + token];
  }, []);
}

function collectMarks(node: Node, marks: Mark[]): void {
  const { callee } = node as { callee?: Node & { name?: string } };
  const isRich = callee?.name === richMark;
  if (node.type === 'CallExpression' && (isRich || callee?.name === plainMark)) {
    const [id, values, ...rest] = node['arguments'] as Node[];
    marks.push({
      start: node.start,
      end: node.end,
      isRich,
      id: stringOf(id),
      values: new Map(((values?.['properties'] ?? []) as Node[]).map(propertyOf)),
      rest,
    });
  }
  for (const child of Object.values(node)) {
    if (Array.isArray(child)) for (const one of child) visit(one, marks);
    else visit(child, marks);
  }
}

function visit(value: unknown, marks: Mark[]): void {
  if (typeof value === 'object' && value !== null && 'type' in value) collectMarks(value as Node, marks);
}

/** The minifier writes texts as templates, too. */
function stringOf(node: Node | undefined): string {
  const [part] = (node?.['quasis'] ?? []) as { value: { cooked: string } }[];
  return part?.value.cooked ?? String(node?.['value']);
}

function propertyOf({ key, value }: Node): [string, Place] {
  const { name, value: literal } = key as { name?: string; value?: unknown };
  return [name ?? String(literal), value as Place];
}
