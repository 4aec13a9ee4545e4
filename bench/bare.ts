import { readFileSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

/** Baseline for the site: serves the same bytes from an otherwise empty route. */
const [file = '', port = '0'] = process.argv.slice(2);
const body = readFileSync(file);
const app = new Hono();
app.get('/bare', () => new Response(body, { headers: { 'content-type': 'application/json' } }));
serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(port) }, (address) =>
  process.stdout.write(`listening ${address.port}\n`),
);
