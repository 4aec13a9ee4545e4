import { Hono } from 'hono';
import type pg from 'pg';

export function openBrowserSide({ api }: { api: Hono; pool: pg.Pool }): Hono {
  const app = new Hono();
  app.route('/stripe-sandbox', api);
  return app;
}
