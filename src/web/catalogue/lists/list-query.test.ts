import { expect, test } from 'vitest';
import { readListQuery, restOf } from './list-query.ts';

function asked(query: string) {
  return readListQuery(new Request(`http://127.0.0.1/audios${query}`));
}

test('reads the order, the filters and the cursor from the address', () => {
  expect(asked('?sort=shortest&tag=night-sea&voiceType=female&shorterThan=600&free=true&cursor=abc')).toEqual({
    sort: 'shortest',
    filter: { tag: ['night-sea'], voiceType: ['female'], shorterThan: 600, free: 'true' },
    cursor: 'abc',
  });
});

test('several values of a filter are one list, however they are written', () => {
  const filter = { tag: ['night', 'sea'], not: ['rain'], length: ['long', 'short'] };
  expect(asked('?tag=sea,night,sea&not=rain&length=short,long')).toMatchObject({ filter });
  expect(asked('?tag=sea&tag=night&not=rain&length=short&length=long')).toMatchObject({ filter });
  expect(restOf('/x', { filter: asked('?tag=sea,night').filter })).toBe('/x?tag=night%2Csea');
});

test.each([
  '?sort=worst',
  '?length=short,endless',
  '?not=Not%20A%20Slug',
  '?tag=Not%20A%20Slug',
  '?voiceType=x',
  '?shorterThan=-1',
  '?shorterThan=NaN',
  '?free=yes',
  '',
])('a value that means nothing counts as not given: %s', (query) => {
  expect(asked(query)).toEqual({ sort: undefined, filter: {}, cursor: undefined });
});

test('the rest of a list is requested with the same order and filters', () => {
  const query = asked('?tag=sea&shorterThan=600&sort=popular&cursor=abc');
  expect(restOf('/v1/api/audios', query)).toBe('/v1/api/audios?sort=popular&tag=sea&shorterThan=600');
  expect(restOf('/v1/api/audios', asked(''))).toBe('/v1/api/audios');
});

test('a form that the browser itself sent leads to the one address of its list', () => {
  const sent = () => asked('?tag=b&tag=a&filters=set');
  expect(sent).toThrow(expect.objectContaining({ status: 302 }));
  try {
    sent();
  } catch (answer) {
    expect((answer as Response).headers.get('location')).toBe('?tag=a,b');
  }
});
