import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { JobFigures } from '#domain/admin/operations.ts';

export type Metrics = {
  observe(method: string, route: string, status: number, seconds: number): void;
  /** Counts an answer from a cache; it takes no time. */
  observeCached(method: string, route: string): void;
  /** Registers a gauge; `read` runs on every scrape. */
  gauge(name: string, help: string, read: () => number): void;
  /**
   * Registers gauges from one query, by job name. `read` runs on a scrape, at most once in two seconds; while it fails,
   * these gauges have no value.
   */
  jobGauges(read: () => Promise<JobFigures[]>): void;
  /** Registers gauges of late news, like `jobGauges`. */
  newsGauges(read: () => Promise<{ seconds: number; audios: number }>): void;
  /** Counts rejected events. @param why limit of one client, limit of the site, or lost by the forwarding service */
  dropEvents(count: number, why: 'client' | 'site' | 'forwarder'): void;
  /** In Prometheus' text format. */
  text(): Promise<string>;
  contentType: string;
};

export function createMetrics(): Metrics {
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
  // Clients send any method; labels must stay few.
  const known = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']);
  return {
    observe(method, route, status, seconds) {
      requests.inc({ method: known.has(method) ? method : 'other', route, status: String(status) });
      durations.observe({ route }, seconds);
    },
    observeCached(method, route) {
      const methods = cached.get(route) ?? new Map<string, number>();
      methods.set(method, (methods.get(method) ?? 0) + 1);
      cached.set(route, methods);
    },
    gauge(name, help, read) {
      const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) });
    },
    jobGauges(read) {
      const figures = rereadEvery(2000, read);
      const gauge = (name: string, help: string, read: (figures: JobFigures) => number) => {
        const one: Gauge<'job'> = new Gauge({
          name,
          help,
          labelNames: ['job'],
          registers: [registry],
          async collect() {
            const rows = await figures().catch((): JobFigures[] => []);
            one.reset();
            for (const row of rows) one.set({ job: row.name }, read(row));
          },
        });
      };
      gauge('sotto_jobs_waiting', 'Jobs that are due and not taken yet', ({ waiting }) => waiting);
      gauge('sotto_jobs_running', 'Jobs at work', ({ running }) => running);
      gauge('sotto_jobs_failed', 'Jobs that were given up, of the last days', ({ failed }) => failed);
      gauge('sotto_jobs_lag_seconds', 'How long the oldest waiting job has been due', ({ lagSeconds }) => lagSeconds);
    },
    newsGauges(read) {
      const lag = rereadEvery(2000, read);
      const gauge = (name: string, help: string, read: (lag: { seconds: number; audios: number }) => number) => {
        const one: Gauge = new Gauge({
          name,
          help,
          registers: [registry],
          async collect() {
            const lagNow = await lag().catch(() => undefined);
            if (lagNow === undefined) one.reset();
            else one.set(read(lagNow));
          },
        });
      };
      gauge(
        'sotto_news_lag_seconds',
        'How long an audio is public whose followers are not all told',
        (one) => one.seconds,
      );
      gauge('sotto_news_waiting', 'Public audios whose followers are not all told', (one) => one.audios);
    },
    dropEvents: (count, why) => dropped.inc({ why }, count),
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
