import type { Hono } from 'hono';

const prefix = '/v1/api';

type Described = { call: string; pattern: RegExp; statuses: Set<string> };

/** One description per worker: it is the same for all sites. */
let described: Map<string, Described[]> | undefined;

/** @returns the described calls by method */
async function readDescription(app: Hono): Promise<Map<string, Described[]>> {
  const answer = await app.request(`${prefix}/openapi.json`);
  const { paths } = (await answer.json()) as {
    paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
  };
  const calls = new Map<string, Described[]>();
  // Fixed words before parameters, as the router prefers them.
  const ordered = Object.entries(paths).toSorted(([one], [other]) => parametersOf(one) - parametersOf(other));
  for (const [path, item] of ordered)
    for (const [name, { responses }] of Object.entries(item)) {
      const method = name.toUpperCase();
      const pattern = new RegExp(`^${prefix}${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
      const call = { call: `${method} ${path}`, pattern, statuses: new Set(Object.keys(responses)) };
      calls.set(method, [...(calls.get(method) ?? []), call]);
    }
  return calls;
}

const parametersOf = (path: string) => path.split('{').length;

/**
 * Watches every answer of the API.
 * @returns `undescribed` lists the calls that answered with a status that the OpenAPI document does not name
 */
export function watchAnswers(app: Hono): { fetch: Hono['fetch']; undescribed(): Promise<string[]> } {
  const answered = new Map<string, { method: string; path: string; status: number }>();
  return {
    async fetch(request, ...rest) {
      const answer = await app.fetch(request, ...rest);
      const path = request.url.slice(request.url.indexOf('/', 8)).split('?')[0] ?? '';
      const { method } = request;
      if (path.startsWith(prefix)) {
        answered.set(`${method} ${path} ${answer.status}`, { method, path, status: answer.status });
      }
      return answer;
    },
    async undescribed() {
      if (answered.size === 0) return [];
      described ??= await readDescription(app);
      const missing = new Set<string>();
      for (const { method, path, status } of answered.values()) {
        const call = described.get(method)?.find(({ pattern }) => pattern.test(path));
        if (call !== undefined && !call.statuses.has(String(status))) missing.add(`${call.call} ${status}`);
      }
      return [...missing].toSorted();
    },
  };
}
