/**
 * Encoded text of a value for many viewers: a range of array slots, starting at a fixed index. A new object for each
 * index, so that derived data can be cached with it.
 */
export type EncodedPart = { text: string; count: number };

/** A value's slots, with gaps for index numbers. */
type Template = { count: number; texts: string[]; places: number[]; at: Map<number, EncodedPart> };

/** Templates of values that were sent more than once, and so are shared; true: sent once. */
const templates = new WeakMap<object, Template | true>();

/** Values deeper than this in a loader's data are not looked up: a look-up costs as much as encoding a few strings. */
const deepest = 3;
/** Cached text covers this many indexes; other values are encoded again. */
const maxPlaces = 4;

export interface ValueEncoder {
  /** Writes what comes before all other values of this data: cached parts, or names and texts. Called once. */
  prepare(data: object[]): void;
  /** Writes what this data refers to. @returns the text of the object itself */
  encodeObject(data: object): string;
  /** The written parts, in order; each begins with a comma. */
  take(): (string | EncodedPart)[];
}

/**
 * Encodes values like turbo-stream: an array whose elements refer to others by index.
 * @param first index of the first value
 * @param hasParts false: everything is encoded again, no text occurs twice, and texts of the same kind are neighbours,
 *   such as all titles, so that the result is smaller: by a sixth when compressed
 */
export function createValueEncoder(first: number, hasParts = true): ValueEncoder {
  const writer = createWriter(first, String, hasParts ? partOf : undefined);
  return {
    prepare(data) {
      if (!hasParts) for (const value of textsByName(data)) writer.placeOf(value, 0);
      // `encodeObject` records new values, so that one request does not count twice.
      else
        for (const value of data.flatMap((one) => Object.values(one)))
          if (templates.has(value as object)) writer.addPart(value);
    },
    encodeObject: (data) => writer.textOf(data, 0),
    take() {
      const pieces: (string | EncodedPart)[] = [];
      let own = '';
      for (const piece of writer.written()) {
        if (typeof piece === 'string') own += `,${piece}`;
        // A separate entry costs more than encoding a short text again.
        else if (piece.text.length < 1000) own += piece.text;
        else {
          if (own !== '') pieces.push(own);
          own = '';
          pieces.push(piece);
        }
      }
      return own === '' ? pieces : [...pieces, own];
    },
  };
}

type FindPart = (value: object, at: number) => EncodedPart | undefined;

function createWriter(first: number, numberOf: (at: number) => string, findPart?: FindPart) {
  const places = new Map<unknown, number>();
  /** A part is at its first slot; the other slots that it fills stay empty. */
  const slots: (string | EncodedPart | undefined)[] = [];
  let next = first;

  function addPart(value: unknown): number | undefined {
    if (typeof value !== 'object' || value === null) return undefined;
    const known = places.get(value);
    if (known !== undefined) return known;
    const part = findPart?.(value, next);
    if (part === undefined) return undefined;
    const at = next;
    places.set(value, at);
    slots[at - first] = part;
    next += part.count;
    return at;
  }

  function placeOf(value: unknown, depth: number): string {
    const special = specialOf(value);
    if (special !== undefined) return special;
    const known = places.get(value) ?? (depth <= deepest ? addPart(value) : undefined);
    if (known !== undefined) return numberOf(known);
    const at = next;
    next += 1;
    places.set(value, at);
    slots[at - first] = undefined;
    slots[at - first] = textOf(value, depth);
    return numberOf(at);
  }

  function textOf(value: unknown, depth: number): string {
    if (typeof value !== 'object' || value === null) {
      if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
        throw new Error(`Cannot encode a ${typeof value}`);
      return JSON.stringify(value);
    }
    if (Array.isArray(value)) {
      let text = '';
      for (const one of value) text += `${text === '' ? '' : ','}${placeOf(one, depth + 1)}`;
      return `[${text}]`;
    }
    if (value instanceof Date) return `["D",${value.getTime()}]`;
    if (Object.getPrototypeOf(value) !== Object.prototype) throw new Error('Cannot encode an object of a class');
    let text = '';
    for (const key of Object.keys(value)) {
      const name = placeOf(key, depth + 1);
      text += `${text === '' ? '' : ','}"_${name}":${placeOf((value as Record<string, unknown>)[key], depth + 1)}`;
    }
    return `{${text}}`;
  }

  return {
    addPart,
    placeOf,
    textOf,
    /** Skips slots filled by the part before them. */
    written: () => slots.filter((slot) => slot !== undefined),
  };
}

/** Everything but objects: names of properties, then for each name the values that it has. */
function textsByName(data: object[]): unknown[] {
  const byName = new Map<string, unknown[]>();
  const visited = new Set<object>();
  const visit = (value: unknown, name: string) => {
    if (typeof value !== 'object' || value === null) {
      if (specialOf(value) === undefined) byName.get(name)?.push(value);
      return;
    }
    if (visited.has(value) || value instanceof Date) return;
    visited.add(value);
    if (Array.isArray(value)) for (const one of value) visit(one, name);
    else
      for (const [key, own] of Object.entries(value)) {
        if (!byName.has(key)) byName.set(key, []);
        visit(own, key);
      }
  };
  for (const one of data) visit(one, '');
  return [...byName.keys(), ...[...byName.values()].flat()];
}

/** Values without their own slot. */
function specialOf(value: unknown): string | undefined {
  if (value === undefined) return '-7';
  if (value === null) return '-5';
  if (typeof value !== 'number') return undefined;
  if (Number.isNaN(value)) return '-2';
  if (value === Number.POSITIVE_INFINITY) return '-6';
  if (value === Number.NEGATIVE_INFINITY) return '-3';
  return Object.is(value, -0) ? '-4' : undefined;
}

/** Undefined for a value sent for the first time, which may belong to one viewer. */
function partOf(value: object, at: number): EncodedPart | undefined {
  const known = templates.get(value);
  if (known === undefined) {
    templates.set(value, true);
    return undefined;
  }
  const template = known === true ? templateOf(value) : known;
  if (known === true) templates.set(value, template);
  const kept = template.at.get(at);
  if (kept !== undefined) return kept;
  let text = '';
  for (const [index, place] of template.places.entries()) text += `${template.texts[index]}${at + place}`;
  const part = { text: text + (template.texts.at(-1) ?? ''), count: template.count };
  if (template.at.size < maxPlaces) template.at.set(at, part);
  return part;
}

/** A character that JSON never contains unescaped. */
const gap = '\u0000';

function templateOf(value: object): Template {
  const writer = createWriter(0, (at) => gap + at + gap);
  writer.placeOf(value, 0);
  const written = writer.written();
  const pieces = written
    .map((slot) => `,${String(slot)}`)
    .join('')
    .split(gap);
  return {
    count: written.length,
    texts: pieces.filter((_, index) => index % 2 === 0),
    places: pieces.filter((_, index) => index % 2 === 1).map(Number),
    at: new Map(),
  };
}
