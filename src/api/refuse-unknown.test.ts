import { z } from '@hono/zod-openapi';
import { expect, test } from 'vitest';
import { refuseUnknown } from './refuse-unknown.ts';

const Point = z.object({ x: z.number() }).openapi({ description: 'A place' });

test.each<[string, z.ZodType, unknown, unknown]>([
  ['a form', Point, { x: 1 }, { x: 1, y: 1 }],
  ['a checked form', Point.refine(({ x }) => x > 0), { x: 1 }, { x: 1, y: 1 }],
  ['a part of a form', z.object({ at: Point.optional() }), { at: { x: 1 } }, { at: { x: 1, y: 1 } }],
  ['an entry', z.array(Point.nullable()).default([]), [null, { x: 1 }], [{ x: 1, y: 1 }]],
  ['a value', z.record(z.string(), Point), { a: { x: 1 } }, { a: { x: 1, y: 1 } }],
  ['a choice', z.union([z.string(), Point]), { x: 1 }, { x: 1, y: 1 }],
  [
    'a kind',
    z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]),
    { kind: 'a' },
    { kind: 'a', y: 1 },
  ],
  ['what is made from a form', Point.transform(({ x }) => x), { x: 1 }, { x: 1, y: 1 }],
])('%s: an unknown field is refused', (_name, schema, known, unknown) => {
  expect(schema.safeParse(unknown).success).toBe(true);
  const strict = refuseUnknown(schema);
  expect(strict.safeParse(known).success).toBe(true);
  expect(strict.safeParse(unknown).success).toBe(false);
});

test('checks go on, and an object that takes others takes them', () => {
  expect(refuseUnknown(Point.refine(({ x }) => x > 0)).safeParse({ x: -1 }).success).toBe(false);
  expect(refuseUnknown(z.looseObject({ x: z.number() })).parse({ x: 1, y: 1 })).toEqual({ x: 1, y: 1 });
});
