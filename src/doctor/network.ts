import { createServer } from 'node:net';
import { type Config, isLoopback } from '#config';
import { callLimits } from '#gateways/call-limits.ts';
import { timedFetch } from '#gateways/timed-fetch.ts';
import { probeSite } from '#http/site-probe.ts';
import { readStoredSecret } from '#start/site-secret.ts';
import { countOf } from '#formats/numbers.ts';
import { type Message, type Report, reportOn } from './report.ts';

/** Whether the site's address, its port and the proxies in front match. */
export function checkAddresses(config: Config, report: Report): void {
  const problems = findAddressProblems(config);
  for (const problem of problems) report('warn', 'Addresses', problem);
  if (problems.length > 0) return;
  const { siteUrl, host, port, trustProxy: proxies } = config;
  report(
    'ok',
    'Addresses',
    /*i18n*/ {
      id: 'doctor.addresses',
      message: '{siteUrl}, listening on {address}, {proxies, plural, one {# proxy trusted} other {# proxies trusted}}',
      values: { siteUrl, address: `${host}:${port}`, proxies },
    },
  );
}

export function findAddressProblems({ siteUrl, host, trustProxy, proxyCache }: Config): Message[] {
  const { protocol, hostname } = new URL(siteUrl);
  const problems: Message[] = [];
  if (protocol === 'http:' && !isLoopback(hostname))
    problems.push(
      /*i18n*/ {
        id: 'doctor.addresses.no-tls',
        message:
          'SITE_URL is {siteUrl}: without https, passwords and what is heard can be read on the way; put a proxy with TLS in front',
        values: { siteUrl },
      },
    );
  if (isLoopback(hostname) && !isLoopback(host))
    problems.push(
      /*i18n*/ {
        id: 'doctor.addresses.loopback',
        message:
          'SITE_URL is {siteUrl}, which only this machine can open, and HOST={host} lets others in; set it to the address they use',
        values: { siteUrl, host },
      },
    );
  if (protocol === 'https:' && trustProxy === 0)
    problems.push(
      /*i18n*/ {
        id: 'doctor.addresses.untrusted',
        message:
          'SITE_URL is https, so a proxy stands in front, and TRUST_PROXY is 0: every listener seems to come from one address; set it to the number of proxies',
      },
    );
  if (trustProxy > 0 && !isLoopback(host))
    problems.push(
      /*i18n*/ {
        id: 'doctor.addresses.open-port',
        message:
          'TRUST_PROXY is {trustProxy} and HOST={host}: whoever reaches the port past the proxy can claim any address; close it to all but the proxy',
        values: { trustProxy: String(trustProxy), host },
      },
    );
  if (proxyCache && trustProxy === 0)
    problems.push(
      /*i18n*/ {
        id: 'doctor.addresses.cache',
        message: 'PROXY_CACHE is on and TRUST_PROXY says that there is no proxy',
      },
    );
  return problems;
}

/** Requests the site at its own address, as browsers do, and then at its port. */
export async function checkSite(config: Config, report: Report): Promise<void> {
  const secret = config.secret ?? (await readStoredSecret(config.dataDir).catch(() => undefined));
  const answer = await askAtAddress(config.siteUrl, secret);
  const listener = config.port === 0 ? 'none' : await findListener(config.host, config.port);
  reportAnswer(config, { answer, listener }, report);
  await checkPort(config, { answer, listener }, report);
}

type Answer =
  | { kind: 'this-site'; proxies: number }
  | { kind: 'sotto' }
  | { kind: 'other' }
  /** @property reason code of the error */
  | { kind: 'none'; reason: string };
type Found = { answer: Answer; listener: Listener };

async function askAtAddress(siteUrl: string, secret: string | undefined): Promise<Answer> {
  try {
    const answer = secret === undefined ? undefined : await probeSite(siteUrl, secret);
    if (answer !== undefined) return { kind: 'this-site', proxies: answer.proxies };
    const { status, text } = await get(`${siteUrl}/healthz`);
    return status === 200 && text === 'ok\n' ? { kind: 'sotto' } : { kind: 'other' };
  } catch (error) {
    const { cause = error } = error as { cause?: unknown };
    const { code, name } = cause as NodeJS.ErrnoException;
    return { kind: 'none', reason: code ?? name };
  }
}

function reportAnswer({ siteUrl, trustProxy }: Config, { answer, listener }: Found, report: Report): void {
  const part = reportOn('Site', report);
  const isLocal = isLoopback(new URL(siteUrl).hostname);
  // On loopback the message about the port covers it.
  if (isLocal && answer.kind !== 'this-site') return;
  switch (answer.kind) {
    case 'this-site':
      part.ok(`answers at ${siteUrl}`);
      return reportProxies({ proxies: answer.proxies, trustProxy }, report);
    case 'sotto':
      return part.fail(
        `the Sotto at ${siteUrl} has another secret; run this with the settings and DATA_DIR of the site`,
      );
    case 'other':
      return part.fail(`something other than Sotto answers at ${siteUrl}; see the proxy and DNS`);
    case 'none':
      if (listener === 'ready-site')
        part.fail(`it runs here and cannot be reached at ${siteUrl} (${answer.reason}); see DNS, proxy and TLS`);
      else part.warn(`nothing can be reached at ${siteUrl} from here (${answer.reason})`);
  }
}

/** @param counts `proxies` that a request passed */
function reportProxies(counts: { proxies: number; trustProxy: number }, report: Report): void {
  const { proxies, trustProxy } = counts;
  const passed = `a request from here passes ${countOf(proxies, 'proxy', 'proxies')}`;
  if (proxies === trustProxy) return report('ok', 'Proxies', `${passed}, as TRUST_PROXY says`);
  const effect =
    proxies > trustProxy
      ? 'many listeners seem to come from one address, and share its limits'
      : 'a client can claim any address, and so escape every limit';
  report('FAIL', 'Proxies', `${passed}, and TRUST_PROXY is ${trustProxy}: ${effect}; set it to ${proxies}`);
}

async function checkPort({ host, port, siteUrl }: Config, { answer, listener }: Found, report: Report): Promise<void> {
  const part = reportOn('Port', report);
  if (port === 0) return part.ok('any that is free');
  switch (listener) {
    case 'ready-site':
      return part.ok(`a Sotto answers on ${host}:${port}`);
    case 'unready-site':
      return part.fail(`a Sotto answers on ${host}:${port}, and its database does not; see its log`);
    case 'other':
      return part.fail(`something other than Sotto answers on ${host}:${port}; stop it, or set another PORT`);
    case 'none':
      return checkListening(host, port, answer.kind === 'this-site' ? `; the site answers at ${siteUrl}` : '', report);
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
  const response = await timedFetch(url, { limitMs: callLimits.doctorPort.answerMs, redirect: 'manual' });
  return { status: response.status, text: (await response.text()).slice(0, 100) };
}

async function checkListening(host: string, port: number, elsewhere: string, report: Report): Promise<void> {
  const part = reportOn('Port', report);
  const error = await tryListening(host, port);
  if (error === undefined) part.ok(`${host}:${port} is free${elsewhere}`);
  else if (error === 'EADDRINUSE')
    part.fail(`something listens on ${host}:${port} and is not a site; stop it, or set another PORT`);
  else part.fail(`the site cannot listen on ${host}:${port} (${error})`);
}

/** @returns the code of the error, if any */
function tryListening(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}
