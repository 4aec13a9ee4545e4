import type { Kind } from '../store/documents.ts';
import { kindOf } from '../store/ids.ts';
import { inOrder } from '../store/in-order.ts';
import type { Work } from '../store/work.ts';
import { includable } from './includable.ts';
import { invalid } from './failure.ts';

type Json = Record<string, unknown>;

const deepest = 4;

/** Replaces ids by objects, as `expand[]` requests. @throws Failure 400 for fields that cannot be expanded */
export async function expand(work: Work, answer: object, paths: string[]): Promise<object> {
  const copy = structuredClone(answer) as Json;
  for (const path of paths) {
    const parts = path.split('.');
    if (parts.length > (parts[0] === 'data' ? deepest + 1 : deepest))
      throw invalid(`You cannot expand more than ${deepest} levels of a property. Property: ${path}`, 'expand');
    await expandIn(work, copy, parts, path);
  }
  return copy;
}

async function expandIn(work: Work, place: Json, [part = '', ...rest]: string[], path: string): Promise<void> {
  if (!(part in place)) {
    const added = await includable(work, place, part);
    if (added === undefined)
      throw invalid(
        `This property cannot be expanded (${path}). You may want to try expanding it with a different name.`,
        'expand',
      );
    place[part] = added;
  }
  place[part] = await expanded(work, place[part], part, rest, path);
}

async function expanded(work: Work, value: unknown, name: string, rest: string[], path: string): Promise<unknown> {
  if (value === null || value === undefined) return value;
  if (Array.isArray(value)) return inOrder(value, (item) => expanded(work, item, name, rest, path));
  const object = typeof value === 'string' ? await load(work, value, name, path) : (value as Json);
  const [next] = rest;
  if (next !== undefined) await expandIn(work, object, rest, path);
  return object;
}

// Coupons and products may have custom ids without a prefix.
async function load(work: Work, id: string, name: string, path: string): Promise<Json> {
  const kind: Kind | undefined = name === 'coupon' || name === 'product' ? name : kindOf(id);
  const row = kind === undefined ? undefined : await work.store.find(kind, id);
  if (row === undefined) throw invalid(`This property cannot be expanded (${path}).`, 'expand');
  return structuredClone(row.document) as unknown as Json;
}
