import { parseAst } from 'vite';
import { type AllFacts, factsOf } from '../formats/format-facts.ts';
import type { Language } from '../formats/languages.ts';
import { factsMark, plainMark, richMark } from './mark-texts.ts';
import { nest, tags } from './rich.ts';
import { type Token, casesOf, kinds, tokensOf } from './tokens.ts';

type Node = { type: string; start: number; end: number; [field: string]: unknown };
type Place = { start: number; end: number };
type Mark = Place & {
  name: string;
  id: string;
  values: Map<string, Place>;
  rest: Place[];
  /** By the number of the tag. */
  elements: Map<string, Place>;
};
const markNames = [plainMark, richMark];

type Piece = { text: string } | { code: string };
/** Code of an element or of a value. */
type Child = { node: string };
type Find = (id: string) => string | undefined;

/**
 * Writes a built script with texts in place of its marks (mark-texts.ts), as template literals.
 * @param name for errors
 */
export function createWriter(script: string, name: string) {
  const hasMarks = markNames.some((mark) => script.includes(mark));
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
    const writeMark = ({ name: mark, id, values, rest, elements }: Mark): string => {
      const around = mark === plainMark ? undefined : rest[1];
      const choose = rest[mark === plainMark ? 0 : 2];
      const valueOf = (value: string) => {
        const place = values.get(value) ?? fail(id, `there is no {${value}}`);
        return write(place);
      };
      /** Text, value, text … as `partsOf`. */
      const partsIn = (tokens: Token[]): { texts: Piece[][]; values: string[] } => {
        const parts: { texts: Piece[][]; values: string[] } = { texts: [[]], values: [] };
        for (const token of joinText(tokens)) {
          if (typeof token === 'string') {
            parts.texts.at(-1)?.push({ text: token });
            continue;
          }
          const [value, kind] = token;
          if (kind === undefined) {
            parts.values.push(valueOf(value));
            parts.texts.push([]);
            continue;
          }
          if (choose === undefined || !kinds.includes(kind)) fail(id, `${kind} is not known in the browser`);
          if (JSON.stringify(token).search(tags) >= 0) fail(id, 'there is an element in one of its cases');
          const ordinal = kind === 'selectordinal' ? ',1' : '';
          const cases = casesOf(token).map(([key, inner]) => {
            const shown = /^\w+$/.test(key) ? key : JSON.stringify(key);
            return `${shown}:${joined(partsIn(inner))}`;
          });
          const code = `${write(choose as Place)}(${valueOf(value)},{${cases.join()}}${ordinal})`;
          parts.texts.at(-1)?.push({ code });
        }
        return parts;
      };
      const joined = ({ texts, values }: { texts: Piece[][]; values: string[] }): string => {
        const pieces = texts.flatMap((text, index) => [
          ...text,
          ...values.slice(index, index + 1).map((code) => ({ code })),
        ]);
        // A choice among texts is a text itself.
        const [only] = values.length === 0 && pieces.length === 1 ? pieces : [];
        return only !== undefined && 'code' in only ? only.code : template(pieces);
      };
      /** Calls within calls, where `rich` would look for tags. */
      const nested = (parts: ReturnType<typeof partsIn>, call: string): string => {
        const callOf = (of: string, inner: (Piece | Child)[]) => `${call}(${[of, ...written(inner)].join()})`;
        const pieces = parts.texts.flatMap((text, index) => [
          ...text.map((piece) => ('text' in piece ? piece.text : { piece })),
          ...parts.values.slice(index, index + 1).map((node) => ({ piece: { node } })),
        ]);
        const inner = nest<Piece | Child>(pieces, {
          text: (text) => ({ text }),
          element(number, around) {
            const place = elements.get(number);
            if (place === undefined) return around ?? [];
            return [{ node: around === undefined ? write(place) : callOf(write(place), around) }];
          },
        });
        return callOf('0', inner);
      };
      /** Text and choices side by side are one child. */
      const written = (inner: (Piece | Child)[]): string[] => {
        const children: (Piece[] | Child)[] = [];
        for (const one of inner) {
          const last = children.at(-1);
          if ('node' in one) children.push(one);
          else if (Array.isArray(last)) last.push(one);
          else children.push([one]);
        }
        return children.map((child) => (Array.isArray(child) ? joined({ texts: [child], values: [] }) : child.node));
      };
      const message = find(id) ?? fail(id, 'the text is unknown');
      const parts = partsIn(tokensOf(message));
      if (mark === plainMark) return joined(parts);
      return nested(parts, write(around as Place));
    };
    return write({ start: 0, end: script.length })
      .replaceAll(new RegExp(`${factsMark}\\.(\\w+)`, 'g'), (_, name) =>
        JSON.stringify(factsOf(language)[name as keyof AllFacts])
          .replaceAll(/(?<=[{,])"(\w+)":/g, '$1:')
          .replaceAll(/"([^"\\`$]*)"/g, '`$1`'),
      )
      .replaceAll('__language__', JSON.stringify(language));
  };
}

/** As the minifier writes texts: what is written alike is compressed best. */
function template(pieces: Piece[]): string {
  const written = pieces.map((piece) =>
    'code' in piece ? `\${${piece.code}}` : piece.text.replaceAll(/[`\\]|\$(?=\{)/g, '\\$&'),
  );
  return `\`${written.join('')}\``;
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
  const name = markNames.find((mark) => mark === callee?.name);
  if (node.type === 'CallExpression' && name !== undefined) {
    const [id, values, ...rest] = node['arguments'] as Node[];
    marks.push({
      start: node.start,
      end: node.end,
      name,
      id: stringOf(id),
      values: new Map(((values?.['properties'] ?? []) as Node[]).map(propertyOf)),
      rest,
      elements: new Map((((name === richMark && rest[0]?.['properties']) || []) as Node[]).map(propertyOf)),
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
