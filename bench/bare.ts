import { readFileSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

/** Baseline for the site: each route only sends recorded, already compressed bytes of the site. */
const [folder = ''] = process.argv.slice(2);
const answers = JSON.parse(readFileSync(`${folder}/answers.json`, 'utf8')) as Record<string, Record<string, string>>;
const app = new Hono();
for (const [name, headers] of Object.entries(answers)) {
  const body = readFileSync(`${folder}/${name}`);
  app.get(`/${name}`, () => new Response(body, { headers }));
}
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, (address) =>
  process.stdout.write(`listening ${address.port}\n`),
);
