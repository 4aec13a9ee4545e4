import type { Config } from '@react-router/dev/config';

export default {
  appDirectory: 'src/web',
  ssr: true,
  // Two dozen routes: their manifest is smaller than a request for parts of it.
  routeDiscovery: { mode: 'initial' },
} satisfies Config;
