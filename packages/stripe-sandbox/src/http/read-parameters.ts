import type { z } from 'zod';
import type { Form } from './form.ts';
import { Failure, invalid } from './failure.ts';

/** Parses a request's parameters with its schema. @throws Failure 400 with Stripe's message, naming the parameter */
export function readParameters(schema: z.ZodObject, form: Form): unknown {
  const { success, data, error } = schema.safeParse(form);
  if (success) return data;
  const issue = deepest(error.issues[0]);
  const failure = issue === undefined ? invalid('Invalid request') : failureOf(issue, form);
  throw new Failure({ ...failure.details, isRejected: true });
}

type Issue = z.core.$ZodIssue;

/** For a union, the issue of the alternative that matches best. */
function deepest(issue: Issue | undefined): Issue | undefined {
  if (issue?.code !== 'invalid_union') return issue;
  const inner = issue.errors
    .flat()
    .map((one) => ({ ...one, path: [...issue.path, ...one.path] }) as Issue)
    .toSorted((one, other) => other.path.length - one.path.length)
    .find(({ code }) => code !== 'invalid_value');
  return deepest(inner) ?? issue;
}

function failureOf(issue: Issue, form: Form): Failure {
  const param = bracketed(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const unknown = bracketed([...issue.path, issue.keys[0] ?? '']);
    return invalid(`Received unknown parameter: ${unknown}`, unknown, 'parameter_unknown');
  }
  if (valueAt(form, issue.path) === undefined)
    return invalid(`Missing required param: ${param}.`, param, 'parameter_missing');
  if (valueAt(form, issue.path) === '')
    return invalid(`You passed an empty string for '${param}'.`, param, 'parameter_invalid_empty');
  return invalid(`Invalid ${param}: ${issue.message}`, param);
}

function valueAt(form: Form, path: PropertyKey[]): unknown {
  let value: unknown = form;
  for (const part of path) value = (value as Record<PropertyKey, unknown> | undefined)?.[part];
  return value;
}

function bracketed(path: PropertyKey[]): string {
  return path.map((part, index) => (index === 0 ? String(part) : `[${String(part)}]`)).join('');
}
