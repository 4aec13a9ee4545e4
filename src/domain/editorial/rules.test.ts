import { inLanguage } from '#i18n';
import { expect, test } from 'vitest';
import {
  type BlogQuery,
  blogAddress,
  blogSorts,
  formatReadTime,
  readBlogQuery,
  readTimeOf,
  defaultTopics,
  topicText,
} from './rules.ts';

const read = (search: string): BlogQuery => readBlogQuery(new URLSearchParams(search), defaultTopics);

test('an address has sort, topics and page, without default values', () => {
  expect(read('')).toEqual({ sortBy: 'recent', topics: [], page: 0 });
  expect(blogAddress(read(''))).toBe('/blog');
  for (const sortBy of blogSorts) {
    const query: BlogQuery = { sortBy, topics: ['sex', 'culture'], page: 2 };
    expect(read(blogAddress(query).replace('/blog', ''))).toEqual(query);
  }
  expect(blogAddress(read('?sort=recent&topics=culture,sex&page=1'))).toBe('/blog?topics=sex,culture');
  expect(blogAddress(read('?topics=sex,wellness,culture,relationships'))).toBe('/blog');
  expect(blogAddress(read('?sort=A-Z&topics=Sex&topics=culture'))).toBe('/blog?sort=a-z&topics=sex,culture');
});

test.each([
  '?sort=loudest',
  '?sort=',
  '?topics=cars',
  '?topics=',
  '?topics=%00',
  '?page=0',
  '?page=-1',
  '?page=1e9',
  '?page=x',
  '?sort[]=a',
  '?sort=__proto__',
])('%s falls back to the list that goes without saying', (search) => {
  expect(blogAddress(read(search))).toBe('/blog');
});

test('a page beyond the last possible one becomes the last', () => {
  expect(read('?page=9999').page).toBe(500);
});

test('reading takes a minute per 200 words; markup and URLs do not count as words', () => {
  expect(readTimeOf('word '.repeat(400))).toBe(120);
  expect(readTimeOf('## One\n\n[two](https://a.example/b-c) — *three*')).toBe(readTimeOf('one two three'));
  expect([0, 20, 90, 400].map(formatReadTime)).toEqual(['1 min read', '1 min read', '2 min read', '7 min read']);
});

test('the site’s own topics are in the language of the page, and those of the operator as they are', () => {
  const [sex, wellness] = defaultTopics;
  const german = (slug = '', label = '') => inLanguage('de', () => topicText(slug, label));
  expect(defaultTopics.map(({ slug, label }) => topicText(slug, label))).toEqual(
    defaultTopics.map(({ label }) => label),
  );
  expect(defaultTopics.map(({ slug, label }) => german(slug, label))).toEqual([
    'Sex',
    'Wohlbefinden',
    'Kultur',
    'Beziehungen',
  ]);
  expect([german(wellness?.slug, 'Rest'), german('rest', sex?.label)]).toEqual(['Rest', 'Sex']);
});
