import { isIP } from 'node:net';
import { z } from 'zod';
import { isLoopback } from '#domain/kernel/rules.ts';
import { wholeNumber } from './values.ts';

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** How one process of many reports readiness, stops, and is monitored. */
export const processSettings = {
  DRAIN_SECONDS: wholeNumber(0, 300).optional().meta({
    description: 'After SIGTERM, seconds in which the process still serves requests while `/readyz` fails',
    unset: '`0` if `HOST` is on loopback, else `5`',
  }),
  SHUTDOWN_SECONDS: wholeNumber(1, 3600)
    .default(6)
    .describe('After that, seconds for running requests and sound to end'),
  METRICS_HOST: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine((parts) => parts.every(isNetwork), 'must be addresses or networks, such as 10.0.0.5 or 10.0.0.0/8')
    .optional()
    .meta({
      description: 'Addresses or networks that may read `/metrics` by a direct connection, separated by commas',
      unset: 'this machine only',
    }),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\w.~+/=-]{16,200}$/, 'must be 16 to 200 characters without spaces, such as `openssl rand -hex 32` prints')
    .optional()
    .describe('Bearer token with which any client may read `/metrics`'),
  LOG_LEVEL: z
    .enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` })
    .default('info')
    .describe('`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`'),
};

export function processConfig(value: z.infer<z.ZodObject<typeof processSettings>>, { host }: { host: string }) {
  return {
    // Load balancers probe every second or two. A site on loopback has none.
    drainSeconds: value.DRAIN_SECONDS ?? (isLoopback(host) ? 0 : 5),
    shutdownSeconds: value.SHUTDOWN_SECONDS,
    metrics: { networks: value.METRICS_HOST ?? [], token: value.METRICS_TOKEN },
    logLevel: value.LOG_LEVEL,
  };
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
