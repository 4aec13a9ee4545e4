import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { JobFigures } from '#domain/admin/operations.ts';

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  /** Added to the counter when it is read: finding the counter of some labels takes longer than a cached answer. */
  const cached = new Map<string, Map<string, number>>();
  function addCached() {
    for (const [route, methods] of cached)
      for (const [method, count] of methods) requests.inc({ method, route, status: '200' }, count);
    cached.clear();
  }
  const requests = new Counter({
    name: 'sotto_http_requests_total',
    help: 'Requests answered',
    labelNames: ['method', 'route', 'status'] as const,
    registers: [registry],
    collect: addCached,
  });
  const durations = new Histogram({
    name: 'sotto_http_request_seconds',
    help: 'Time until the answer was ready',
    labelNames: ['route'] as const,
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  const dropped = new Counter({
    name: 'sotto_events_dropped_total',
    help: 'Analytics events that were not kept, or not passed on',
    labelNames: ['why'] as const,
    registers: [registry],
  });
  /** From one query. `read` runs on a scrape, at most once in two seconds; while it fails, the gauges have no value. */
  function gauges<Row>(
    read: () => Promise<Row[]>,
    figures: [name: string, help: string, valueOf: (row: Row) => number][],
    labelNames: string[] = [],
    labelsOf: (row: Row) => Record<string, string> = () => ({}),
  ): void {
    const current = rereadEvery(2000, read);
    for (const [name, help, valueOf] of figures) {
      const gauge: Gauge = new Gauge({
        name,
        help,
        labelNames,
        registers: [registry],
        async collect() {
          const rows = await current().catch((): Row[] => []);
          gauge.reset();
          for (const row of rows) gauge.set(labelsOf(row), valueOf(row));
        },
      });
    }
  }
  // Clients send any method; labels must stay few.
  const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);
  return {
    observe(method: string, route: string, status: number, seconds: number): void {
      requests.inc({ method: methods.has(method) ? method : 'other', route, status: String(status) });
      durations.observe({ route }, seconds);
    },
    /** Counts an answer from a cache; it takes no time. */
    observeCached(method: string, route: string): void {
      const counts = cached.get(route) ?? new Map<string, number>();
      counts.set(method, (counts.get(method) ?? 0) + 1);
      cached.set(route, counts);
    },
    /** Registers a gauge; `read` runs on every scrape. */
    gauge(name: string, help: string, read: () => number): void {
      const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) });
    },
    jobGauges: (read: () => Promise<JobFigures[]>) =>
      gauges(
        read,
        [
          ['sotto_jobs_waiting', 'Jobs that are due and not taken yet', ({ waiting }) => waiting],
          ['sotto_jobs_running', 'Jobs at work', ({ running }) => running],
          ['sotto_jobs_failed', 'Jobs that were given up, of the last days', ({ failed }) => failed],
          ['sotto_jobs_lag_seconds', 'How long the oldest waiting job has been due', ({ lagSeconds }) => lagSeconds],
        ],
        ['job'],
        ({ name }) => ({ job: name }),
      ),
    newsGauges: (read: () => Promise<{ seconds: number; audios: number }>) =>
      gauges(
        async () => [await read()],
        [
          [
            'sotto_news_lag_seconds',
            'How long an audio is public whose followers are not all told',
            ({ seconds }) => seconds,
          ],
          ['sotto_news_waiting', 'Public audios whose followers are not all told', ({ audios }) => audios],
        ],
      ),
    /** Counts rejected events. @param why limit of one client, limit of the site, or lost by the forwarding service */
    dropEvents: (count: number, why: 'client' | 'site' | 'forwarder') => dropped.inc({ why }, count),
    /** In Prometheus' text format. */
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

/** Shares one result among callers within that time. */
function rereadEvery<Answer>(milliseconds: number, read: () => Promise<Answer>): () => Promise<Answer> {
  let answer: Promise<Answer> | undefined;
  let readAt = 0;
  return () => {
    if (answer === undefined || Date.now() - readAt >= milliseconds) {
      answer = read();
      readAt = Date.now();
    }
    return answer;
  };
}
