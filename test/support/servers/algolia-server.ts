import { readFile } from 'node:fs/promises';
import { type IncomingMessage, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { OpenAPIValidator } from 'openapi-backend';

const description = join(import.meta.dirname, '..', '..', '..', 'contracts', 'algolia-search.json');

type StoredObject = {
  objectID: string;
  name: string;
  foundFrom: number;
  ownerId: string | null;
  tagIds: string[];
  language: string;
  properties: string[];
  isFree: boolean;
  hit: unknown;
};
type Query = { indexName: string; query: string; offset: number; length: number; filters: string };
type BatchRequest = { action: string; body: StoredObject };

/**
 * A fake of Algolia in memory. It validates each request against Algolia's published description; invalid ones are
 * refused and recorded.
 */
export async function startAlgoliaServer() {
  const validator = new OpenAPIValidator({
    definition: JSON.parse(await readFile(description, 'utf8')),
    ajvOpts: { strict: false, allErrors: true, formats: { int32: true, int64: true } },
    lazyCompileValidators: true,
  });
  const indices = new Map<string, Map<string, StoredObject>>();
  const settings = new Map<string, Record<string, unknown>>();
  const requests: { operation: string; index: string; body: unknown }[] = [];
  const refused: unknown[] = [];
  let task = 0;
  let isDown = false;

  function objectsOf(name: string): Map<string, StoredObject> {
    const objects = indices.get(name) ?? new Map<string, StoredObject>();
    indices.set(name, objects);
    return objects;
  }

  function search({ indexName, query, offset, length, filters }: Query) {
    const visible = [...objectsOf(indexName).values()].filter(
      ({ foundFrom, ownerId, tagIds, isFree, ...object }) =>
        foundFrom <= Number(/foundFrom <= (\d+)/.exec(filters)?.[1]) &&
        !filters.includes(`NOT ownerId:"${ownerId}"`) &&
        !tagIds.some((id) => filters.includes(`NOT tagIds:"${id}"`)) &&
        (isFree || !filters.includes('isFree:true')) &&
        // `(tagIds:"…" OR tagIds:"…")`
        Array.from(filters.matchAll(/\(([^)]*)\)/g), ([, list = '']) => list.split(' OR ')).every((list) =>
          list.some((one) => {
            const [, field = '', value = ''] = /^(\w+):"(.*)"$/.exec(one) ?? [];
            const values = { ...object, tagIds }[field as 'tagIds' | 'language' | 'properties'];
            return [values].flat().includes(value);
          }),
        ),
    );
    const having = (words: string[]) =>
      visible.filter(({ name }) => words.some((word) => name.toLowerCase().includes(word)));
    const term = query.toLowerCase();
    // As typed or, if there is nothing, with one letter too many.
    const exact = having([term]);
    const all = exact.length > 0 ? exact : having([...term].map((_, at) => term.slice(0, at) + term.slice(at + 1)));
    const _rankingInfo = { nbTypos: all === exact ? 0 : 1 };
    const hits = all.slice(offset, offset + length).map(({ objectID, hit }) => ({ objectID, hit, _rankingInfo }));
    return { index: indexName, nbHits: all.length, hits, query, params: '', processingTimeMS: 1 };
  }

  const answers: Record<string, (index: string, body: never) => unknown> = {
    search: (_, { requests: queries }: { requests: Query[] }) => ({ results: queries.map(search) }),
    setSettings(index, body: Record<string, unknown>) {
      objectsOf(index);
      settings.set(index, body);
      return { updatedAt: new Date().toISOString() };
    },
    batch(index, { requests: list }: { requests: BatchRequest[] }) {
      for (const { action, body } of list)
        if (action === 'deleteObject') objectsOf(index).delete(body.objectID);
        else objectsOf(index).set(body.objectID, body);
      return { objectIDs: list.map(({ body }) => body.objectID) };
    },
    deleteIndex(index) {
      indices.delete(index);
      return { deletedAt: new Date().toISOString() };
    },
    operationIndex(index, { operation, destination }: { operation: string; destination: string }) {
      indices.set(destination, objectsOf(index));
      settings.set(destination, settings.get(index) ?? {});
      if (operation === 'move') indices.delete(index);
      return { updatedAt: new Date().toISOString() };
    },
    getTask: () => ({ status: 'published' }),
  };

  async function answer(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    if (isDown) return { status: 503, body: { message: 'down', status: 503 } };
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const url = new URL(request.url ?? '', 'http://algolia.test');
    const body = text === '' ? undefined : JSON.parse(text);
    const asked = {
      method: request.method ?? '',
      path: url.pathname,
      headers: request.headers as Record<string, string>,
      // The description lacks the client's own parameter.
      query: Object.fromEntries([...url.searchParams].filter(([name]) => name !== 'x-algolia-agent')),
      body,
    };
    const operation = validator.router.matchOperation(asked)?.operationId ?? '';
    const { errors } = validator.validateRequest(asked);
    const isKnown =
      request.headers['x-algolia-application-id'] === 'TESTAPP' && request.headers['x-algolia-api-key'] === 'testkey1';
    if (errors?.length || !isKnown || answers[operation] === undefined) {
      refused.push({ path: url.pathname, isKnown, errors });
      return { status: 400, body: { message: 'not as described', status: 400 } };
    }
    const index = decodeURIComponent(url.pathname.split('/')[3] ?? '');
    if (operation !== 'getTask') requests.push({ operation, index, body });
    return { status: 200, body: { taskID: (task += 1), ...(answers[operation](index, body as never) as object) } };
  }

  // Each takes up to seconds on a busy machine, in the process of the client, whose limits would pass meanwhile.
  for (const operation of Object.keys(answers)) validator.getRequestValidatorsForOperation(operation);

  const server = createServer((request, response) => {
    void answer(request).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    options: {
      appId: 'TESTAPP',
      apiKey: 'testkey1',
      prefix: 'test',
      hosts: [{ url: '127.0.0.1', port, accept: 'readWrite' as const, protocol: 'http' as const }],
    },
    /** All requests except those that poll a task. */
    requests,
    /** Requests that violate Algolia's description. */
    refused,
    settings,
    names: (index: string) => [...objectsOf(index).values()].map(({ name }) => name).toSorted(),
    setDown(down: boolean) {
      isDown = down;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
