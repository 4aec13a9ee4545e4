import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { parseConfig, settingNames } from '#config';
import { maxUploadBytes } from '#domain/studio/rules.ts';
import { calls } from '#api/calls.ts';
import { encryptedBytes } from '#http/limits/limit-body.ts';
import { createMetrics } from '#http/metrics.ts';
import { guide } from './support/guide.ts';

/**
 * Checks `deploy/` against the published schemas and against this site: its settings, ports, probes, Node version and
 * metrics.
 */

const read = (path: string) => readFileSync(path, 'utf8');
const readYaml = <Shape>(path: string) => parse(read(path), { merge: true }) as Shape;

const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
for (const name of ['compose', 'kubernetes', 'kustomization', 'prometheus-rule', 'prometheus-service-monitor'])
  ajv.addSchema(JSON.parse(read(join('contracts', `${name}.json`))) as object, name);
const kubernetesKinds = Object.keys((JSON.parse(read('contracts/kubernetes.json')) as { kinds: object }).kinds);

/** @param schema for example `compose`, or a part of it: `kubernetes#/kinds/Job`. @returns problems, by position */
function complaints(schema: string, value: unknown): string[] {
  const validate = ajv.getSchema(schema);
  if (validate === undefined) throw new Error(`There is no schema ${schema}`);
  void validate(value);
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/** `NAME=value` lines of a file of settings. */
function readSettings(path: string): Record<string, string> {
  return Object.fromEntries([...read(path).matchAll(/^([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
}

type Compose = {
  services: Record<
    string,
    {
      environment?: Record<string, string>;
      env_file?: string;
      healthcheck?: { test?: string[] };
      volumes?: string[];
    }
  >;
};
type Resource = { kind: string; metadata: { name: string } };
type Probe = { httpGet: { path: string; port: string } };
type Container = {
  ports?: { name: string; containerPort: number }[];
  resources: { limits: Record<string, string> };
} & Record<'startupProbe' | 'readinessProbe' | 'livenessProbe', Probe>;
type Pod = {
  terminationGracePeriodSeconds: number;
  containers: Container[];
  volumes: { name: string; emptyDir: { sizeLimit: string } }[];
};
type Deployment = { spec: { template: { spec: Pod } } };
type Rules = { groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[] };
type Dashboard = { panels: { id: number; title: string; targets: { expr: string }[] }[] };

const compose = readYaml<Compose>('deploy/compose/compose.yaml');
const kubernetesFolder = 'deploy/kubernetes';
const manifests = ['site', 'migrate', 'settings'].flatMap((folder) =>
  readdirSync(join(kubernetesFolder, folder))
    .filter((name) => name.endsWith('.yaml') && name !== 'names.yaml')
    .map((name) => join(kubernetesFolder, folder, name)),
);
const deployment = readYaml<Deployment>(`${kubernetesFolder}/site/deployment.yaml`);
const siteServices = ['migrate', 'site-a', 'site-b'];

/** Sample values for the variables that an operator sets. */
const filledIn: Record<string, string> = {
  SITE_HOST: 'sotto.example',
  SECRET: 'x'.repeat(44),
  DATABASE_PASSWORD: 'database',
  STORAGE_PASSWORD: 'storage',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
  METRICS_TOKEN: 'x'.repeat(44),
  PAYMENTS: 'sandbox',
};

/** The settings of each way to run the site, without secrets and values that only the operator knows. */
const settings: Record<string, Record<string, string>> = {
  Dockerfile: Object.fromEntries(
    [...read('deploy/Dockerfile').matchAll(/^ENV (.+)$/gm)].flatMap(([, line = '']) =>
      line.split(' ').map((pair) => pair.split('=') as [string, string]),
    ),
  ),
  ...Object.fromEntries(
    siteServices.map((name) => [
      `compose ${name}`,
      {
        ...readSettings('deploy/compose/site.env.example'),
        ...Object.fromEntries(
          Object.entries(compose.services[name]?.environment ?? {}).map(([setting, value]) => [
            setting,
            value.replaceAll(/\$\{(\w+)[^}]*\}/g, (_all, variable: string) => filledIn[variable] ?? ''),
          ]),
        ),
      },
    ]),
  ),
  Kubernetes: {
    ...readSettings(`${kubernetesFolder}/settings/site.env`),
    ...readSettings(`${kubernetesFolder}/settings/secret.env.example`),
  },
  server: readSettings('deploy/server/sotto.env.example'),
  unit: Object.fromEntries(
    [...read('deploy/server/sotto@.service').matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [
      name,
      value === '%i' ? '3000' : value,
    ]),
  ),
};

test.each(manifests)('%s has the form that Kubernetes and its tools expect', (path) => {
  const documents = parseAllDocuments(read(path), { merge: true });
  expect(documents.length).toBeGreaterThan(0);
  for (const document of documents) {
    expect(document.errors).toEqual([]);
    const resource = document.toJS() as Resource;
    if (path.endsWith('kustomization.yaml')) {
      expect(complaints('kustomization', resource)).toEqual([]);
    } else if (resource.kind === 'ServiceMonitor') {
      expect(complaints('prometheus-service-monitor', resource)).toEqual([]);
    } else {
      expect(kubernetesKinds).toContain(resource.kind);
      expect(complaints(`kubernetes#/kinds/${resource.kind}`, resource)).toEqual([]);
    }
  }
});

test('a manifest with a misspelt field is refused', () => {
  const wrong = JSON.parse(JSON.stringify(deployment).replace('"readinessProbe"', '"readynessProbe"')) as object;
  expect(complaints('kubernetes#/kinds/Deployment', wrong).join()).toContain('readynessProbe');
});

test('each kustomization names every file of its folder, and none that there is not', () => {
  for (const folder of ['site', 'migrate']) {
    const { resources } = readYaml<{ resources: string[] }>(`${kubernetesFolder}/${folder}/kustomization.yaml`);
    const files = readdirSync(join(kubernetesFolder, folder)).filter((name) => name !== 'kustomization.yaml');
    expect(resources.toSorted()).toEqual(files.toSorted());
  }
});

test('the Compose file has the form that the specification says', () => {
  expect(complaints('compose', compose)).toEqual([]);
});

test('the guide backs up into a volume that the user of the image owns, outside of DATA_DIR', () => {
  const folders = [...guide.matchAll(/exec site-a sotto backup (\S+?)`/g)].map(([, folder]) => folder);
  const { volumes = [], environment } = compose.services['site-a'] ?? {};
  const mounted = volumes.map((volume) => volume.split(':')[1] ?? '');
  const owned = /^RUN install -d -o 1000 -g 1000 \S+ \S+ (.+)$/m.exec(read('deploy/Dockerfile'))?.[1]?.split(' ') ?? [];
  expect(folders.length).toBeGreaterThan(0);
  for (const folder of folders) {
    const volume = mounted.find((path) => folder?.startsWith(`${path}/`));
    expect(owned).toContain(volume);
    expect(volume).not.toBe(environment?.DATA_DIR);
  }
});

test('the unit may write to the folder of backups that the guide makes', () => {
  const folder = /install -d -o sotto -g sotto -m 0700 (\/\S*backups\S*)$/m.exec(guide)?.[1];
  const unit = read('deploy/server/sotto@.service');
  expect(unit).toContain('ProtectSystem=strict\n');
  expect(unit).toContain(`\nReadWritePaths=-${folder}\n`);
});

test('the rules have the form that Prometheus expects', () => {
  const rules = readYaml<Rules>('deploy/prometheus/alerts.yaml');
  expect(complaints('prometheus-rule#/properties/spec', rules)).toEqual([]);
  const alerts = rules.groups.flatMap((group) => group.rules);
  expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(10);
  for (const { alert } of alerts) expect(guide, 'each alert is explained').toContain(`\`${alert}\``);
});

test.each(Object.keys(settings))('%s sets only settings of the site', (place) => {
  const names = Object.keys(settings[place] ?? {}).filter((name) => name !== 'NODE_ENV');
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !settingNames.includes(name))).toEqual([]);
});

test.each(['compose site-a', 'Kubernetes', 'server'])('the site takes the settings of %s', (place) => {
  const given = Object.entries(settings[place] ?? {}).map(([name, value]) => [name, value || (filledIn[name] ?? '')]);
  expect(() => parseConfig(Object.fromEntries(given) as Record<string, string>)).not.toThrow();
});

test('every setting that the Compose file leaves open is explained beside it', () => {
  const open = new Set([...read('deploy/compose/compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
  expect(Object.keys(readSettings('deploy/compose/.env.example')).toSorted()).toEqual([...open].toSorted());
});

test('ports and probes are those of the site', () => {
  const health = read('src/http/health.ts');
  const { containers, terminationGracePeriodSeconds } = deployment.spec.template.spec;
  const [container] = containers;
  const probes = [container?.startupProbe, container?.readinessProbe, container?.livenessProbe];
  expect(probes.map((probe) => probe?.httpGet)).toEqual([
    { path: '/healthz', port: 'http' },
    { path: '/readyz', port: 'http' },
    { path: '/healthz', port: 'http' },
  ]);
  const monitor = readYaml<{ spec: { endpoints: { path: string }[] } }>(
    `${kubernetesFolder}/site/service-monitor.yaml`,
  );
  for (const path of ['/healthz', '/readyz', monitor.spec.endpoints[0]?.path]) expect(health).toContain(`'${path}'`);

  const port = settings.Kubernetes?.PORT;
  expect(container?.ports).toEqual([{ name: 'http', containerPort: Number(port) }]);
  const { DRAIN_SECONDS: drain, SHUTDOWN_SECONDS: shutdown } = settings.Kubernetes ?? {};
  expect(terminationGracePeriodSeconds).toBeGreaterThan(Number(drain) + Number(shutdown));
  const dockerfile = read('deploy/Dockerfile');
  expect(dockerfile).toContain(`EXPOSE ${settings.Dockerfile?.PORT}\n`);
  expect(dockerfile).toContain('/healthz');
  for (const path of ['deploy/compose/Caddyfile', 'deploy/server/Caddyfile']) {
    const caddyfile = read(path);
    const ports = [...(/reverse_proxy (.+) \{/.exec(caddyfile)?.[1] ?? '').matchAll(/:(\d+)/g)].map(([, each]) => each);
    expect(new Set(ports)).toEqual(new Set([settings['compose site-a']?.PORT]));
    expect(caddyfile).toContain('health_uri /readyz');
  }
});

test('a pod has room for the image cache and for the longest recording while it is processed', () => {
  const bytesOf = (quantity = '') =>
    Number.parseInt(quantity, 10) * 1024 ** (['Ki', 'Mi', 'Gi'].indexOf(quantity.replace(/^\d+/, '')) + 1);
  const { containers, volumes } = deployment.spec.template.spec;
  const sizes = volumes.map(({ name, emptyDir }) => [name, bytesOf(emptyDir.sizeLimit)] as const);
  const images = Number(settings.Kubernetes?.IMAGE_CACHE_MB) * 1024 ** 2;
  // 12 hours at the 192 kbit/s of both files that it becomes.
  const processed = (12 * 3600 * 192_000) / 8;
  expect(new Map(sizes).get('data')).toBeGreaterThan(1.1 * (images + maxUploadBytes + processed));
  const all = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  expect(bytesOf(containers[0]?.resources.limits['ephemeral-storage'])).toBeGreaterThan(all);
});

test('the image has the Node of package.json, and runs as the same user everywhere', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: { node: string } };
  const dockerfile = read('deploy/Dockerfile');
  expect(/^ARG NODE_IMAGE=node:([\d.]+)-/m.exec(dockerfile)?.[1]).toBe(dependencies.node);
  const user = /^USER (\d+):/m.exec(dockerfile)?.[1];
  for (const path of ['site/deployment.yaml', 'migrate/job.yaml'])
    expect(read(join(kubernetesFolder, path))).toContain(`runAsUser: ${user}\n`);
});

test('the image is built of files that .dockerignore lets through', () => {
  const sent = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, name]) => name);
  const copied = [...read('deploy/Dockerfile').matchAll(/^COPY (?!--from)(?:--\S+ )?(.+) \S+$/gm)]
    .flatMap(([, names = '']) => names.split(' '))
    .filter((name) => name !== '.');
  expect(copied.length).toBeGreaterThan(5);
  expect(copied.filter((name) => !sent.includes(name))).toEqual([]);
  expect(copied.filter((name) => !existsSync(name))).toEqual([]);
});

test('each proxy lets the largest bodies through', async () => {
  expect(calls.length).toBeGreaterThan(100);
  const max = encryptedBytes(Math.max(...calls.map(({ call }) => call.maxBytes ?? 0)));
  const [api = 0, uploads = 0] = [...guide.matchAll(/client_max_body_size (\d+)m;/g)].map(([, size]) => Number(size));
  const ingress = Number(/proxy-body-size: (\d+)m$/m.exec(read(`${kubernetesFolder}/site/ingress.yaml`))?.[1]);
  expect(api * 1024 * 1024).toBeGreaterThan(max);
  for (const size of [uploads, ingress]) expect(size * 1024 * 1024).toBeGreaterThan(32 * 1024 * 1024);
  // Caddy has no limit of its own.
  for (const path of ['deploy/compose/Caddyfile', 'deploy/server/Caddyfile'])
    expect(read(path)).not.toContain('request_body');
});

test('image and unit start the files of the site as npm does', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { sotto: string } };
  for (const path of ['deploy/sotto-in-container', 'deploy/server/sotto'])
    expect(read(path).replace('/sotto/src', 'src')).toContain(`${scripts.sotto} "$@"`);
  const start = scripts.sotto.replace('cli.ts', 'main.ts');
  expect(read('deploy/server/sotto@.service')).toContain(`.bin/${start}\n`);
  expect(read('deploy/Dockerfile')).toContain(`CMD ${JSON.stringify(start.split(' ')).replaceAll(',', ', ')}\n`);
});

test('alerts and dashboard ask for metrics that the site has', async () => {
  const known = await listMetrics();
  const alerts = readYaml<Rules>('deploy/prometheus/alerts.yaml').groups.flatMap(({ rules }) => rules);
  const { panels } = JSON.parse(read('deploy/prometheus/grafana-dashboard.json')) as Dashboard;
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const queries = [...alerts, ...panels.flatMap(({ targets }) => targets)].map(({ expr }) => expr);
  const asked = new Set(queries.flatMap((expr) => expr.match(/\b(?:sotto|process|nodejs)_\w+/g) ?? []));
  expect(asked.size).toBeGreaterThan(10);
  expect([...asked].filter((name) => !known.has(name))).toEqual([]);
});

/** Metrics of an empty registry, with prom-client's own, and those that other modules register by name. */
async function listMetrics(): Promise<Set<string>> {
  const names = new Set<string>();
  for (const [, name = '', type] of (await createMetrics().text()).matchAll(/^# TYPE (\w+) (\w+)$/gm))
    for (const suffix of type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']) names.add(`${name}${suffix}`);
  for await (const path of glob('src/{*,start/**/*,http/**/*,jobs/**/*,gateways/**/*}.ts')) {
    if (path.endsWith('.test.ts')) continue;
    for (const [, name = ''] of read(path).matchAll(/'(sotto_[a-z_]+)'/g)) names.add(name);
  }
  return names;
}
