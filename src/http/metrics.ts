import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = {
  observe(method: string, route: string, status: number, seconds: number): void;
  /** Registers a gauge; `read` runs on every scrape. */
  gauge(name: string, help: string, read: () => number): void;
  /** Counts rejected events. @param why limit of one client, limit of the site, or lost by the forwarding service */
  dropEvents(count: number, why: 'client' | 'site' | 'forwarder'): void;
  /** In Prometheus' text format. */
  text(): Promise<string>;
  contentType: string;
};

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'sotto_http_requests_total',
    help: 'Requests answered',
    labelNames: ['method', 'route', 'status'] as const,
    registers: [registry],
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
    gauge(name, help, read) {
      const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) });
    },
    dropEvents: (count, why) => dropped.inc({ why }, count),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
