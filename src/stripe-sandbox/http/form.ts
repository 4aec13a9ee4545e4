import { invalid } from './failure.ts';

export type FormValue = string | FormValue[] | { [name: string]: FormValue };
export type Form = { [name: string]: FormValue };

const mostParts = 8;
const shape = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;

/**
 * Reads `items[0][price]=…&expand[]=…`, as Stripe's SDKs send bodies and queries.
 * @throws Failure 400 for names of another shape
 */
export function parseForm(text: string): Form {
  const form: Form = Object.create(null) as Form;
  for (const [name, value] of new URLSearchParams(text)) {
    // PostgreSQL keeps none.
    if (text.includes('%00') && `${name}${value}`.includes('\0'))
      throw invalid('Invalid character', name.slice(0, 100));
    const [, base = '', brackets = ''] = shape.exec(name) ?? [];
    const path = [
      base,
      ...brackets
        .slice(1, -1)
        .split('][')
        .slice(0, brackets === '' ? 0 : undefined),
    ];
    if (base === '' || path.length > mostParts)
      throw invalid(`Invalid parameter name: ${name.slice(0, 100)}`, name.slice(0, 100));
    put(form, path, value);
  }
  return Object.fromEntries(Object.entries(form).map(([name, value]) => [name, withLists(value)]));
}

function put(form: Form, path: string[], value: string): void {
  let place = form;
  for (const [index, raw] of path.entries()) {
    const part = raw === '' ? String(Object.keys(place).length) : raw;
    if (index === path.length - 1) {
      place[part] = value;
      return;
    }
    let next = place[part];
    if (typeof next !== 'object' || Array.isArray(next)) {
      next = Object.create(null) as Form;
      place[part] = next;
    }
    place = next;
  }
}

/** What is numbered from 0 on is a list. */
function withLists(value: FormValue): FormValue {
  if (typeof value === 'string' || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, withLists(inner)] as const);
  const isList = entries.every(([name], index) => name === String(index));
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}
