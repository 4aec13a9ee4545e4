import { XMLBuilder } from 'fast-xml-parser';

/** Value of an element; `@name` is an attribute, `#text` the text beside attributes, a list repeats the element. */
export type XmlNode = string | number | undefined | { [name: string]: XmlNode | XmlNode[] };

const builder = new XMLBuilder({
  attributeNamePrefix: '@',
  textNodeName: '#text',
  ignoreAttributes: false,
  format: true,
  suppressEmptyNode: true,
  processEntities: true,
});

/** @param root one element */
export function toXml(root: Record<string, XmlNode>): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${String(builder.build(clean(root)))}`;
}

/** Removes undefined values, and characters that XML forbids (XML 1.0 §2.2). */
function clean(node: XmlNode | XmlNode[]): unknown {
  if (typeof node === 'string') return node.replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '');
  if (Array.isArray(node)) return node.map(clean);
  if (typeof node !== 'object') return node;
  return Object.fromEntries(
    Object.entries(node).flatMap(([name, value]) => (value === undefined ? [] : [[name, clean(value)]])),
  );
}
