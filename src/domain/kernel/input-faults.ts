import { countOf } from '#formats/numbers.ts';
import { z } from 'zod';

/** The fault of a value, to follow the name of its field. */
function reasonOf(issue: z.core.$ZodRawIssue): string {
  if (issue.code === 'invalid_type')
    return issue.input === undefined ? 'is missing' : `must be ${typeNames[issue.expected] ?? issue.expected}`;
  if (issue.code === 'too_small') {
    const min = Number(issue.minimum);
    if (!isLength(issue.origin)) return `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${min}`;
    return min === 1 ? 'must not be empty' : `must have at least ${lengthOf(min, issue.origin)}`;
  }
  if (issue.code === 'too_big') {
    const max = Number(issue.maximum);
    if (!isLength(issue.origin)) return `must be ${issue.inclusive === false ? 'less than' : 'at most'} ${max}`;
    return `must have at most ${lengthOf(max, issue.origin)}`;
  }
  if (issue.code === 'invalid_format') return `must be ${formatNames[issue.format] ?? 'written differently'}`;
  if (issue.code === 'not_multiple_of') return `must be a multiple of ${issue.divisor}`;
  if (issue.code === 'invalid_value')
    return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.join(', ')}`;
  if (issue.code === 'unrecognized_keys')
    return `has no ${issue.keys.map((key) => `“${key.slice(0, 50)}”`).join(', ')}`;
  return 'is not as it should be';
}

const isLength = (origin: string) => origin === 'string' || origin === 'array' || origin === 'set';
const lengthOf = (count: number, origin: string) =>
  origin === 'string' ? countOf(count, 'character', 'characters') : countOf(count, 'entry', 'entries');

const typeNames: Partial<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a date',
  null: 'null',
};

const formatNames: Partial<Record<string, string>> = {
  uuid: 'an id',
  email: 'an email address',
  url: 'a web address',
  date: 'a date such as 2026-11-28',
  datetime: 'a time such as 2026-11-28T10:00:00Z',
  base64: 'Base64',
};

/** In place of Zod's own words, wherever a form says nothing itself. */
z.config({ localeError: reasonOf });

type Issue = { path: PropertyKey[]; message: string };

/** The whole sentence that people read about an invalid value; the value itself is not repeated. */
export function sentenceOf({ path, message }: Issue): string {
  if (message.endsWith('.')) return message;
  const name = path.findLast((part) => typeof part === 'string');
  const words = name?.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) ?? 'this';
  const subject = words.charAt(0).toUpperCase() + words.slice(1);
  return /^(?:is|must|has) /.test(message) ? `${subject} ${message}.` : `${subject}: ${message}.`;
}
