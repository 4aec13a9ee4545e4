import { invalid } from './failure.ts';

export type FormValue = string | FormValue[] | { [name: string]: FormValue };
export type Form = { [name: string]: FormValue };

const maxParts = 8;
/** Limit of parameters per request; no SDK call needs a tenth of it. */
const maxParameters = 1000;
const shape = /^([^[\]]+)((?:\[[^[\]]*\])*)$/;

/**
 * Reads `items[0][price]=…&expand[]=…`, as Stripe's SDKs send bodies and queries.
 * @throws Failure 400 for names of another shape, and for more than a thousand parameters
 */
export function parseForm(text: string): Form {
  const form: Form = Object.create(null) as Form;
  /** Number of entries per object, since counting keys for each `[]` would be quadratic. */
  const sizes = new Map<Form, number>();
  const parameters = [...new URLSearchParams(text)];
  if (parameters.length > maxParameters) throw invalid(`At most ${maxParameters} parameters can be sent at once.`);
  for (const [name, value] of parameters) {
    // PostgreSQL cannot store NUL characters.
    if (name.includes('\0') || value.includes('\0')) throw invalid('Invalid character', name.slice(0, 100));
    const [, base = '', brackets = ''] = shape.exec(name) ?? [];
    const path = [
      base,
      ...brackets
        .slice(1, -1)
        .split('][')
        .slice(0, brackets === '' ? 0 : undefined),
    ];
    if (base === '' || path.length > maxParts)
      throw invalid(`Invalid parameter name: ${name.slice(0, 100)}`, name.slice(0, 100));
    put(form, path, value, sizes);
  }
  return Object.fromEntries(Object.entries(form).map(([name, value]) => [name, withLists(value)]));
}

function put(form: Form, path: string[], value: string, sizes: Map<Form, number>): void {
  let place = form;
  for (const [index, raw] of path.entries()) {
    const size = sizes.get(place) ?? 0;
    const part = raw === '' ? String(size) : raw;
    let next = place[part];
    if (next === undefined) sizes.set(place, size + 1);
    if (index === path.length - 1) {
      place[part] = value;
      return;
    }
    if (typeof next !== 'object' || Array.isArray(next)) {
      next = Object.create(null) as Form;
      place[part] = next;
    }
    place = next;
  }
}

/** Converts objects with keys from 0 on to lists. */
function withLists(value: FormValue): FormValue {
  if (typeof value === 'string' || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, withLists(inner)] as const);
  const isList = entries.every(([name], index) => name === String(index));
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}
