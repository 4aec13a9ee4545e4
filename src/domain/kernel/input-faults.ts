import { z } from 'zod';
import { sourceLanguage } from '#formats/languages.ts';
import { i18n, inLanguage } from '#i18n';

/** `input` is gone once Zod has finished. */
type Fault = z.core.$ZodRawIssue | z.core.$ZodIssue;

/** The whole sentence about a value that Zod refuses, in the language of the request. */
function faultOf(issue: Fault, field: string, isMissing: boolean): string {
  if (isMissing) return i18n._(/*i18n*/ { id: 'fault.missing', message: '{field} is missing.', values: { field } });
  if (issue.code === 'invalid_type')
    return i18n._(
      /*i18n*/ {
        id: 'fault.type',
        message:
          '{type, select, string {{field} must be text.} number {{field} must be a number.} int {{field} must be a whole number.} boolean {{field} must be true or false.} array {{field} must be a list.} object {{field} must be an object.} record {{field} must be an object.} date {{field} must be a date.} other {{field} must be {type}.}}',
        values: { type: issue.expected, field },
      },
    );
  if (issue.code === 'too_small') return tooSmall(issue, field);
  if (issue.code === 'too_big') return tooBig(issue, field);
  if (issue.code === 'invalid_format')
    return i18n._(
      /*i18n*/ {
        id: 'fault.format',
        message:
          '{format, select, uuid {{field} must be an id.} email {{field} must be an email address.} url {{field} must be a web address.} date {{field} must be a date such as 2026-11-28.} datetime {{field} must be a time such as 2026-11-28T10:00:00Z.} base64 {{field} must be Base64.} other {{field} must be written differently.}}',
        values: { format: issue.format, field },
      },
    );
  if (issue.code === 'not_multiple_of')
    return i18n._(
      /*i18n*/ {
        id: 'fault.multiple',
        message: '{field} must be a multiple of {step}.',
        values: { field, step: issue.divisor },
      },
    );
  if (issue.code === 'invalid_value') {
    const values = { field, values: issue.values.join(', ') };
    return issue.values.length === 1
      ? i18n._(/*i18n*/ { id: 'fault.value', message: '{field} must be {values}.', values })
      : i18n._(/*i18n*/ { id: 'fault.values', message: '{field} must be one of {values}.', values });
  }
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => `“${key.slice(0, 50)}”`).join(', ');
    return i18n._(/*i18n*/ { id: 'fault.unknown', message: '{field} has no {names}.', values: { field, names } });
  }
  return i18n._(/*i18n*/ { id: 'fault.other', message: '{field} is not as it should be.', values: { field } });
}

type Limit = { origin: string; inclusive?: boolean };
const isList = ({ origin }: Limit) => origin === 'array' || origin === 'set';

function tooSmall(issue: Limit & { minimum: number | bigint }, field: string): string {
  const count = Number(issue.minimum);
  const values = { field, count };
  if (!isList(issue) && issue.origin !== 'string')
    return issue.inclusive === false
      ? i18n._(/*i18n*/ { id: 'fault.more-than', message: '{field} must be more than {count}.', values })
      : i18n._(/*i18n*/ { id: 'fault.at-least', message: '{field} must be at least {count}.', values });
  if (count === 1) return i18n._(/*i18n*/ { id: 'fault.empty', message: '{field} must not be empty.', values });
  return isList(issue)
    ? i18n._(
        /*i18n*/ {
          id: 'fault.few-entries',
          message: '{field} must have at least {count, plural, one {# entry} other {# entries}}.',
          values,
        },
      )
    : i18n._(
        /*i18n*/ {
          id: 'fault.short',
          message: '{field} must have at least {count, plural, one {# character} other {# characters}}.',
          values,
        },
      );
}

function tooBig(issue: Limit & { maximum: number | bigint }, field: string): string {
  const values = { field, count: Number(issue.maximum) };
  if (!isList(issue) && issue.origin !== 'string')
    return issue.inclusive === false
      ? i18n._(/*i18n*/ { id: 'fault.less-than', message: '{field} must be less than {count}.', values })
      : i18n._(/*i18n*/ { id: 'fault.at-most', message: '{field} must be at most {count}.', values });
  return isList(issue)
    ? i18n._(
        /*i18n*/ {
          id: 'fault.many-entries',
          message: '{field} must have at most {count, plural, one {# entry} other {# entries}}.',
          values,
        },
      )
    : i18n._(
        /*i18n*/ {
          id: 'fault.long',
          message: '{field} must have at most {count, plural, one {# character} other {# characters}}.',
          values,
        },
      );
}

const missing = 'is missing';

/** The English sentence without the name before it, which commands and files write in their own way. */
function reasonOf(issue: Fault): string {
  const isMissing = issue.code === 'invalid_type' && 'input' in issue && issue.input === undefined;
  return inLanguage(sourceLanguage, () => faultOf(issue, '', isMissing)).slice(1, -1);
}

/** In place of Zod's own words, wherever a form says nothing itself. */
z.config({ localeError: reasonOf });

/** The whole sentence that people read about an invalid value; the value itself is not repeated. */
export function sentenceOf(issue: z.core.$ZodIssue): string {
  const { path, message } = issue;
  if (message.endsWith('.')) return message;
  const field = fieldOf(path);
  if (message === missing || message === reasonOf(issue)) return faultOf(issue, field, message === missing);
  if (/^(?:is|must|has) /.test(message)) return `${field} ${message}.`;
  return i18n._(/*i18n*/ { id: 'fault.own', message: '{field}: {message}.', values: { field, message } });
}

/** `Sort title`, from `sortTitle`: the names of the API are English. */
function fieldOf(path: PropertyKey[]): string {
  const name = path.findLast((part) => typeof part === 'string');
  if (name === undefined) return i18n._(/*i18n*/ { id: 'fault.this', message: 'This' });
  const words = name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const field = words.charAt(0).toUpperCase() + words.slice(1);
  return i18n._(/*i18n*/ { id: 'fault.field', message: '{field}', values: { field } });
}
