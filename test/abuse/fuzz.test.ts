import { expect, test } from 'vitest';
import { createAudio, createCategory, createUserPlaylist } from '#test/support/factories.ts';
import { registerUser } from '#test/support/identity.ts';
import { startTestSite } from '#test/support/site.ts';

/** Calls every described operation, valid and mangled: none may cause a server error. */

const { url, site, identity, db, errors } = await startTestSite({ CLIENT_CONNECTIONS: '1000' });
const member = await registerUser(site, identity);
const category = await createCategory(db);
const audio = await createAudio(db, { isFree: true, categoryIds: [category.id] });
const list = await createUserPlaylist(db, { userId: member.id });

type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  format?: string;
  minimum?: number;
  maximum?: number;
};
type Parameter = { name: string; in: string; required?: boolean; schema?: Schema };
type Operation = { parameters?: Parameter[]; requestBody?: { content: Record<string, { schema?: Schema }> } };
type Description = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

/** The same numbers in each run (mulberry32). */
function numbersOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const seed = Number(process.env['FUZZ_SEED'] ?? 1);
const random = numbersOf(seed);
const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;

const odd: unknown[] = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\uD800',
  '\u2028',
  '\u202E',
  '%',
  '%00',
  '../..',
  "' or 1=1 --",
  '😀'.repeat(300),
  'x'.repeat(3000),
  '\u0301'.repeat(200),
  -1,
  0,
  1e308,
  2 ** 53,
  2 ** 31,
  0.1,
  null,
  true,
  [],
  {},
  [[[[]]]],
  { __proto__: null, constructor: { prototype: 1 } },
  '0001-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  '00000000-0000-0000-0000-000000000000',
];
const known = [audio.id, audio.slug, audio.voiceId, category.id, category.slug, list.id, member.id, member.username];

const answer = await fetch(`${url}/v1/api/openapi.json`);
const description = (await answer.json()) as Description;

function valueOf(schema: Schema = {}, depth = 0): unknown {
  if (random() < 0.12 || depth > 6) return pick(odd);
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return valueOf(description.components.schemas[name], depth + 1);
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return valueOf(pick(choices), depth + 1);
  if (schema.allOf !== undefined)
    return Object.assign({}, ...schema.allOf.map((part) => valueOf(part, depth + 1))) as unknown;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return pick(schema.enum);
  const type = Array.isArray(schema.type) ? pick(schema.type) : schema.type;
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name]) => random() < (schema.required?.includes(name) === true ? 0.95 : 0.5))
          .map(([name, inner]) => [name, valueOf(inner, depth + 1)]),
      );
    case 'array':
      return Array.from({ length: Math.floor(random() * 4) }, () => valueOf(schema.items, depth + 1));
    case 'integer':
    case 'number':
      return pick([schema.minimum ?? 0, schema.maximum ?? 100, 1, 5, (schema.maximum ?? 1e6) + 1]);
    case 'boolean':
      return random() < 0.5;
    case 'null':
      return null;
    default:
      if (schema.format === 'uuid') return pick([...known, crypto.randomUUID()]);
      if (schema.format === 'date-time') return pick([new Date(0).toISOString(), '2999-12-31T23:59:59.999Z']);
      return pick([...known, 'plain', 'somebody@example.org', `text ${Math.floor(random() * 1e6)}`]);
  }
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 3000);
/** Lone surrogates cannot be encoded in an address and are replaced. */
const encoded = (value: unknown) => encodeURIComponent(asText(value).toWellFormed());
const headerText = (value: unknown) => asText(value).replaceAll(/[^\x20-\x7e]/g, '?');

function requestOf(method: string, path: string, operation: Operation): [string, RequestInit] {
  const parameters = operation.parameters ?? [];
  let address = path.replaceAll(/\{(\w+)\}/g, () => encoded(random() < 0.6 ? pick(known) : pick(odd)) || '-');
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && random() < 0.6)
    .map(({ name, schema }) => `${name}=${random() < 0.05 ? '%E0%A4%A' : encoded(valueOf(schema))}`);
  if (query.length > 0) address += `?${query.join('&')}`;
  const headers: Record<string, string> = {};
  for (const { name, schema } of parameters.filter((parameter) => parameter.in === 'header'))
    headers[name] = headerText(valueOf(schema));
  if (random() < 0.6) headers['authorization'] = `Bearer ${member.token}`;
  if (random() < 0.1) headers['if-none-match'] = headerText(pick(odd));
  if (random() < 0.1) headers['cookie'] = `sotto_session=${encoded(pick(odd))}; ;;=`;
  const schema = operation.requestBody?.content['application/json']?.schema;
  let body: string | undefined;
  if (schema !== undefined && method !== 'get') {
    headers['content-type'] = random() < 0.95 ? 'application/json' : 'text/plain';
    const whole = JSON.stringify(valueOf(schema)) ?? '';
    body = random() < 0.05 ? whole.slice(0, -1) : whole;
  }
  return [address, { method: method.toUpperCase(), headers, ...(body !== undefined && { body }) }];
}

const perOperation = Number(process.env['FUZZ_CALLS'] ?? 4);

test(`no generated call is a failure of the site (seed ${seed})`, async () => {
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [method, path, operation] as const),
  );
  expect(operations.length).toBeGreaterThan(60);
  const failed: string[] = [];
  let calls = 0;
  for (const [method, path, operation] of operations) {
    const requests = Array.from({ length: perOperation }, () => requestOf(method, path, operation));
    await Promise.all(
      requests.map(async ([address, init]) => {
        const response = await fetch(`${url}/v1/api${address}`, init);
        await response.arrayBuffer();
        calls += 1;
        if (response.status >= 500)
          failed.push(`${response.status} ${init.method} ${address.slice(0, 200)} ${String(init.body).slice(0, 400)}`);
      }),
    );
  }
  process.stdout.write(`${calls} generated calls of ${operations.length} operations, ${failed.length} failures\n`);
  expect(failed).toEqual([]);
  expect(errors).toEqual([]);
}, 600_000);
