import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = {
  observe(method: string, route: string, status: number, seconds: number): void;
  /** Read whenever the figures are asked for. */
  gauge(name: string, help: string, read: () => number): void;
  /** Events that were not taken. @param why too many by one client, or by all together; or the service beyond lost them */
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
  // Methods are whatever a client sends; labels are not.
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
