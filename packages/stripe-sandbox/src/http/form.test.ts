import { expect, test } from 'vitest';
import { Failure } from './failure.ts';
import { parseForm } from './form.ts';

test('bracketed names become objects and lists', () => {
  const text = new URLSearchParams([
    ['customer', 'cus_1'],
    ['items[0][price]', 'price_1'],
    ['items[0][quantity]', '2'],
    ['items[1][price]', 'price_2'],
    ['expand[]', 'a'],
    ['expand[]', 'b.c'],
    ['metadata[a b]', '=&['],
    ['name', ''],
  ]).toString();
  expect(parseForm(text)).toEqual({
    customer: 'cus_1',
    items: [{ price: 'price_1', quantity: '2' }, { price: 'price_2' }],
    expand: ['a', 'b.c'],
    metadata: { 'a b': '=&[' },
    name: '',
  });
});

test('names such as `__proto__` are ordinary names', () => {
  const form = parseForm('__proto__[a]=1&constructor[prototype][b]=2');
  expect(({} as { a?: string }).a).toBeUndefined();
  expect(({} as { b?: string }).b).toBeUndefined();
  expect(Object.keys(form)).toContain('constructor');
});

test.each(['[a]=1', 'a[b=1', 'a]b=1', `a${'[b]'.repeat(20)}=1`, '=1'])('%s is refused', (text) => {
  expect(() => parseForm(text)).toThrow(Failure);
});

test('a name used as text and then as an object becomes the object without an error', () => {
  expect(parseForm('a=1&a[b]=2')).toEqual({ a: { b: '2' } });
  expect(parseForm('')).toEqual({});
});

test('a request with too many parameters is refused, and the maximum is parsed quickly', () => {
  const many = 'a[]=&'.repeat(50_000);
  const start = performance.now();
  expect(() => parseForm(many)).toThrow('At most 1000 parameters');
  expect(parseForm('a[]=&'.repeat(1000))).toEqual({ a: Array.from({ length: 1000 }, () => '') });
  expect(performance.now() - start).toBeLessThan(200);
});

test('an entry without an index is appended to an indexed list', () => {
  expect(parseForm('a[0]=x&a[]=y&a[1]=z&a[]=w&b[][c]=1&b[][c]=2')).toEqual({
    a: ['x', 'z', 'w'],
    b: [{ c: '1' }, { c: '2' }],
  });
});
