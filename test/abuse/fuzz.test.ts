import { seededRandom } from '#demo/random.ts';
import { expect, test } from 'vitest';
import { setVoiceOwner } from '#domain/community/voice-owners.ts';
import { setAdmin } from '#domain/identity/operators.ts';
import {
  createAudio,
  createCategory,
  createPlaylist,
  createSeries,
  createSession,
  createUser,
  createUserPlaylist,
  createVoice,
} from '#test/support/factories.ts';
import { startTestSite } from '#test/support/site.ts';
import { slow } from '#test/support/tags.ts';

/** Calls every described operation as member, creator and operator, valid and mangled: none may cause a server error. */

const { url, db, errors } = await startTestSite({ CLIENT_CONNECTIONS: '1000' });
const category = await createCategory(db);

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

const seed = Number(process.env['FUZZ_SEED'] ?? 1);
const random = seededRandom(seed);
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
/** Texts that PostgreSQL rejects. */
const poison = ['\0', 'a\0b', '\uD800', 'a\uDC00'];
/** Names and ids that exist; most belong to the caller. */
let known: string[] = [];
/** The ids by the word before them in an address. */
let things: Record<string, string> = {};
/** Share of values that are mangled. */
let oddShare = 0.12;

type Caller = { role: string; token: string; share: number };

/** A caller with things of their own, because earlier calls may have deleted or suspended others'. */
async function newCaller(role: 'member' | 'creator' | 'admin'): Promise<Caller> {
  const user = await createUser(db);
  const { token } = await createSession(db, user.id);
  const [voice, other] = [await createVoice(db), await createUser(db)];
  const own = await createAudio(db, {
    voiceId: voice.id,
    isFree: true,
    categoryIds: [category.id],
    tagLabels: ['Rain'],
  });
  const [series, house] = [await createSeries(db, { voiceId: voice.id }), await createPlaylist(db)];
  const list = await createUserPlaylist(db, { userId: user.id });
  if (role === 'creator') await setVoiceOwner(db, voice.slug, user.id, true);
  if (role === 'admin') await setAdmin(db, user.id, true);
  const playlist = role === 'admin' ? house.id : list.id;
  things = { voices: voice.id, audios: own.id, series: series.id, playlists: playlist, users: other.id };
  known = [...Object.values(things), voice.slug, own.slug, category.id, category.slug, other.username ?? '', 'rain'];
  return { role, token, share: role === 'member' ? 0.6 : 0.95 };
}

const answer = await fetch(`${url}/v1/api/openapi.json`);
const description = (await answer.json()) as Description;

function valueOf(schema: Schema = {}, depth = 0): unknown {
  if (random() < oddShare || depth > 6) return pick(odd);
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
      if (schema.format === 'date') return pick(['2026-01-31', '0001-01-01', '9999-12-31']);
      if (schema.format === 'date-time')
        return pick([new Date(0).toISOString(), '0000-01-01T00:00:00Z', '2999-12-31T23:59:59.999Z']);
      return pick([
        ...known,
        'plain',
        'somebody@example.org',
        'https://example.org/',
        `text ${Math.floor(random() * 1e6)}`,
      ]);
  }
}

/** The same value with one of its texts poisoned. */
function poisoned(value: unknown): unknown {
  const places: ((text: string) => void)[] = [];
  const walk = (inner: unknown, put: (text: string) => void): void => {
    if (typeof inner === 'string') places.push((end) => put(inner + end));
    else if (Array.isArray(inner)) inner.forEach((one, at) => walk(one, (text) => (inner[at] = text)));
    else if (typeof inner === 'object' && inner !== null)
      for (const [name, one] of Object.entries(inner))
        walk(one, (text) => ((inner as Record<string, unknown>)[name] = text));
  };
  const whole = { value: structuredClone(value) };
  walk(whole.value, (text) => (whole.value = text));
  if (places.length > 0) pick(places)(pick(poison));
  return whole.value;
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 3000);
/** Lone surrogates cannot be encoded in an address and are replaced. */
const encoded = (value: unknown) => encodeURIComponent(asText(value).toWellFormed());
const headerText = (value: unknown) => asText(value).replaceAll(/[^\x20-\x7e]/g, '?');

function requestOf(caller: Caller, method: string, path: string, operation: Operation): [string, RequestInit] {
  // Half of the bodies are valid except for one text, which gets past the other checks.
  const isPoisoned = random() < 0.5;
  oddShare = isPoisoned ? 0 : 0.12;
  const parameters = operation.parameters ?? [];
  let address = path.replaceAll(/\{(\w+)\}/g, (_, _name, at: number) => {
    if (random() > (isPoisoned ? 0.9 : 0.6)) return encoded(pick(odd)) || '-';
    return encoded((random() < 0.7 ? things[path.slice(0, at).split('/').at(-2) ?? ''] : undefined) ?? pick(known));
  });
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && random() < 0.6)
    .map(({ name, schema }) => `${name}=${random() < 0.05 ? '%E0%A4%A' : encoded(valueOf(schema))}`);
  if (query.length > 0) address += `?${query.join('&')}`;
  const headers: Record<string, string> = {};
  for (const { name, schema } of parameters.filter((parameter) => parameter.in === 'header'))
    headers[name] = headerText(valueOf(schema));
  if (random() < caller.share) headers['authorization'] = `Bearer ${caller.token}`;
  if (random() < 0.1) headers['if-none-match'] = headerText(pick(odd));
  if (random() < 0.1) headers['cookie'] = `sotto_session=${encoded(pick(odd))}; ;;=`;
  const schema = operation.requestBody?.content['application/json']?.schema;
  let body: string | undefined;
  if (schema !== undefined && method !== 'get') {
    headers['content-type'] = random() < 0.95 ? 'application/json' : 'text/plain';
    const whole = JSON.stringify(isPoisoned ? poisoned(valueOf(schema)) : valueOf(schema)) ?? '';
    body = random() < 0.05 ? whole.slice(0, -1) : whole;
  }
  return [address, { method: method.toUpperCase(), headers, ...(body !== undefined && { body }) }];
}

const perOperation = Number(process.env['FUZZ_CALLS'] ?? 3);
/** Operations by one caller: few, so that its calls stay below the limits per minute, and a log-out ends few. */
const perCaller = 10;

async function expectNoFailure(role: 'member' | 'creator' | 'admin'): Promise<void> {
  const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [method, path, operation] as const),
  );
  expect(operations.length).toBeGreaterThan(60);
  const failed: string[] = [];
  const answers = new Map<number, number>();
  for (let first = 0; first < operations.length; first += perCaller) {
    const caller = await newCaller(role);
    const requests = operations
      .slice(first, first + perCaller)
      .flatMap((operation) => Array.from({ length: perOperation }, () => requestOf(caller, ...operation)));
    await Promise.all(
      requests.map(async ([address, init]) => {
        const response = await fetch(`${url}/v1/api${address}`, init);
        await response.arrayBuffer();
        answers.set(response.status, (answers.get(response.status) ?? 0) + 1);
        // The test site has no jobs, mails in files, backups and checks.
        if (response.status === 503 && address.startsWith('/admin/system/')) return;
        if (response.status >= 500)
          failed.push(`${response.status} ${init.method} ${address.slice(0, 200)} ${String(init.body).slice(0, 400)}`);
      }),
    );
  }
  process.stdout.write(`${role}, ${operations.length} operations, ${JSON.stringify(Object.fromEntries(answers))}\n`);
  // Together, so that a failure is seen with its cause.
  expect({ failed, errors }).toEqual({ failed: [], errors: [] });
}

const name = `no generated call of a %s is a failure of the site (seed ${seed})`;
test.each(['member'] as const)(name, { timeout: 600_000 }, expectNoFailure);
test.each(['creator', 'admin'] as const)(name, { ...slow, timeout: 600_000 }, expectNoFailure);

test('texts that PostgreSQL rejects are refused before anything is done', async () => {
  const { token } = await newCaller('admin');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  for (const end of ['\0', '\uD800']) {
    const text = `a${end}`;
    const footer = (to: string) => ({ groups: [{ title: 'x', links: [{ label: 'x', to }] }] });
    const calls = [
      ['POST', `/admin/users/${things['users']}/months`, { months: 3, reason: text }],
      ['PUT', `/admin/users/${things['users']}/deletion`, { reason: text }],
      ['PATCH', `/studio/voices/${things['voices']}`, { links: [{ label: 'x', url: `https://a.bc/${end}` }] }],
      ['PUT', `/studio/voices/${things['voices']}/people`, { name: text, role: 'editor' }],
      ['PUT', `/admin/voices/${things['voices']}/owners`, { account: text, isOwner: true }],
      ...['q', 'voice', 'category', 'tag'].map(
        (name) => ['POST', '/admin/audios/acts', { verb: 'free', filter: { [name]: text } }] as const,
      ),
      ['PUT', '/admin/blog-topics', { revision: 0, topics: [{ slug: null, label: 'x' }], moved: { [text]: 'x' } }],
      ['PUT', '/admin/look/name', { value: { name: text }, revision: 0 }],
      ['PUT', '/admin/look/footer', { value: footer(`/${text}`), revision: 0 }],
    ] as const;
    for (const [method, path, body] of calls) {
      const response = await fetch(`${url}/v1/api${path}`, { method, headers, body: JSON.stringify(body) });
      const { error } = (await response.json()) as { error?: { code: string } };
      expect([path, body, error?.code]).toEqual([path, body, 'request/invalid']);
    }
  }
});
