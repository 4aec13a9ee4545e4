import { expect, test } from 'vitest';
import { readAudioQuery } from './content/audio-query.ts';
import { readListQuery } from '../workshop/lists/read-list.ts';
import { LogQuery } from './site/log-query.ts';

test('addresses with a character that the database rejects, or too long a cursor, are read', () => {
  expect(readListQuery(new URLSearchParams('q=a%00b'), [])).toEqual({ q: 'ab', state: undefined, cursor: undefined });
  const after = 'x'.repeat(3000);
  expect(LogQuery.parse({ who: 'a\0' })).toEqual({});
  expect(readAudioQuery(new URLSearchParams({ after }))).toMatchObject({ after });
});
