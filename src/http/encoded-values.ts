/**
 * Text of a value that many viewers are shown: slots of one array, whose places begin at a fixed number. A new object for
 * each place, so that what is made of the text can be kept with it.
 */
export type EncodedPart = { text: string; count: number };

/** A value's slots with gaps where numbers of places go. */
type Template = { count: number; texts: string[]; places: number[]; at: Map<number, EncodedPart> };

/** Templates of values that were sent more than once, since these are shared; true: sent once. */
const templates = new WeakMap<object, Template | true>();

/** Values below this depth of a loader's data are not looked up: each look-up costs as much as encoding a few strings. */
const deepest = 3;
/** Text of a value is kept for so many places; others are made anew. */
const mostPlaces = 4;

export interface ValueEncoder {
  /** Writes what is known of this data as parts. */
  addParts(data: object): void;
  /** Writes what this data refers to. @returns the text of the object itself */
  encodeObject(data: object): string;
  /** The written parts, in order; each begins with a comma. */
  take(): (string | EncodedPart)[];
}

/**
 * Encodes values as turbo-stream does: an array whose elements refer to others by their place.
 * @param first place of the first value
 */
export function createValueEncoder(first: number): ValueEncoder {
  const writer = createWriter(first, String, partOf);
  return {
    addParts(data) {
      // Values that are new are noted by `encodeObject`, so that one request does not count twice.
      for (const value of Object.values(data)) if (templates.has(value as object)) writer.addPart(value);
    },
    encodeObject: (data) => writer.textOf(data, 0),
    take() {
      const pieces: (string | EncodedPart)[] = [];
      let own = '';
      for (const piece of writer.written()) {
        if (typeof piece === 'string') own += `,${piece}`;
        // A script of its own costs more than encoding a short text again.
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
  /** A part is at its first place, and the others that it fills stay empty. */
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
    /** Slots that are filled by the part before them are left out. */
    written: () => slots.filter((slot) => slot !== undefined),
  };
}

/** Values without a place of their own. */
function specialOf(value: unknown): string | undefined {
  if (value === undefined) return '-7';
  if (value === null) return '-5';
  if (typeof value !== 'number') return undefined;
  if (Number.isNaN(value)) return '-2';
  if (value === Number.POSITIVE_INFINITY) return '-6';
  if (value === Number.NEGATIVE_INFINITY) return '-3';
  return Object.is(value, -0) ? '-4' : undefined;
}

/** Undefined for a value that is sent for the first time: it may be one viewer's own. */
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
  if (template.at.size < mostPlaces) template.at.set(at, part);
  return part;
}

/** JSON has no such character. */
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
