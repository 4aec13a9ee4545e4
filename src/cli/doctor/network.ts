import { createServer } from 'node:net';
import type { Config } from '#config';
import { isLoopback } from '#config';
import { countOf } from '../command.ts';
import type { Report } from './report.ts';

/** Whether the site's address, its port and the proxies in front fit together. */
export function checkAddresses(config: Config, report: Report): void {
  const problems = findAddressProblems(config);
  for (const problem of problems) report('warn', 'Addresses', problem);
  if (problems.length > 0) return;
  const proxies = countOf(config.trustProxy, 'proxy', 'proxies');
  report('ok', 'Addresses', `${config.siteUrl}, listening on ${config.host}:${config.port}, ${proxies} trusted`);
}

export function findAddressProblems({ siteUrl, host, trustProxy, proxyCache }: Config): string[] {
  const { protocol, hostname } = new URL(siteUrl);
  const problems: string[] = [];
  if (protocol === 'http:' && !isLoopback(hostname))
    problems.push(
      `SITE_URL is ${siteUrl}: without https, passwords and what is heard can be read on the way; put a proxy with TLS in front`,
    );
  if (isLoopback(hostname) && !isLoopback(host))
    problems.push(
      `SITE_URL is ${siteUrl}, which only this machine can open, and HOST=${host} lets others in; set it to the address they use`,
    );
  if (protocol === 'https:' && trustProxy === 0)
    problems.push(
      'SITE_URL is https, so a proxy stands in front, and TRUST_PROXY is 0: every listener seems to come from one address; set it to the number of proxies',
    );
  if (trustProxy > 0 && !isLoopback(host))
    problems.push(
      `TRUST_PROXY is ${trustProxy} and HOST=${host}: whoever reaches the port past the proxy can claim any address; close it to all but the proxy`,
    );
  if (proxyCache && trustProxy === 0) problems.push('PROXY_CACHE is on and TRUST_PROXY says that there is no proxy');
  return problems;
}

export async function checkPort({ host, port }: Config, report: Report): Promise<void> {
  if (port === 0) return report('ok', 'Port', 'any that is free');
  switch (await findListener(host, port)) {
    case 'ready-site':
      return report('ok', 'Port', `a Sotto answers on ${host}:${port}`);
    case 'unready-site':
      return report('FAIL', 'Port', `a Sotto answers on ${host}:${port}, and its database does not; see its log`);
    case 'other':
      return report(
        'FAIL',
        'Port',
        `something other than Sotto answers on ${host}:${port}; stop it, or set another PORT`,
      );
    case 'none':
      return checkListening(host, port, report);
  }
}

type Listener = 'ready-site' | 'unready-site' | 'other' | 'none';

async function findListener(host: string, port: number): Promise<Listener> {
  const isAnyAddress = host === '0.0.0.0' || host === '::';
  const name = isAnyAddress ? 'localhost' : host;
  const base = `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
  try {
    const health = await get(`${base}/healthz`);
    if (health.status !== 200 || health.text !== 'ok\n') return 'other';
    const ready = await get(`${base}/readyz`);
    return ready.status === 200 ? 'ready-site' : 'unready-site';
  } catch {
    return 'none';
  }
}

async function get(url: string): Promise<{ status: number; text: string }> {
  const response = await fetch(url, { signal: AbortSignal.timeout(3000), redirect: 'manual' });
  return { status: response.status, text: (await response.text()).slice(0, 100) };
}

async function checkListening(host: string, port: number, report: Report): Promise<void> {
  const error = await tryListening(host, port);
  if (error === undefined) report('ok', 'Port', `${host}:${port} is free; the site is stopped`);
  else if (error === 'EADDRINUSE')
    report(
      'FAIL',
      'Port',
      `something listens on ${host}:${port} and does not answer as a site; stop it, or set another PORT`,
    );
  else report('FAIL', 'Port', `the site cannot listen on ${host}:${port} (${error})`);
}

/** @returns the code of the error, if any */
function tryListening(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}
