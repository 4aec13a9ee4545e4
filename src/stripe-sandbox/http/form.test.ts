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

test('names that lead into the prototype of objects are names like others', () => {
  const form = parseForm('__proto__[a]=1&constructor[prototype][b]=2');
  expect(({} as { a?: string }).a).toBeUndefined();
  expect(({} as { b?: string }).b).toBeUndefined();
  expect(Object.keys(form)).toContain('constructor');
});

test.each(['[a]=1', 'a[b=1', 'a]b=1', `a${'[b]'.repeat(20)}=1`, '=1'])('%s is refused', (text) => {
  expect(() => parseForm(text)).toThrow(Failure);
});

test('what is a text and then an object is the object, and nothing breaks', () => {
  expect(parseForm('a=1&a[b]=2')).toEqual({ a: { b: '2' } });
  expect(parseForm('')).toEqual({});
});
