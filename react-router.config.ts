import type { Config } from '@react-router/dev/config';

export default {
  appDirectory: 'src/web',
  ssr: true,
  // A press never waits for a request about routes, nor offline. Lazy discovery made the first page no faster.
  routeDiscovery: { mode: 'initial' },
} satisfies Config;
