import { expect, test } from 'vitest';
import { toCode } from './forms.ts';

test.each([
  'SPRING20',
  'spring20',
  ' SPRING20\u200B',
  '\u200ESPRING20',
  'SPRING20.',
  'ＳＰＲＩＮＧ２０',
  'SPRING\u201120',
  'SPRING–20',
  '“SPRING20”',
  'SPRING\u00A020',
  'SPRING20。',
  '「SPRING20」',
  'spring\u00AD20',
  'SPRING\u206020',
  '\uFEFFSPRING20',
  '\u202ASPRING20\u202C',
  '*SPRING20*',
  '`SPRING20`',
  'SPRING—20',
  '<SPRING20>',
  'ＳＰＲＩＮＧ－２０\u3000',
])('%j is the code that was copied', (text) => {
  expect(toCode(text)).toBe('SPRING20');
});
