import { Hono } from 'hono';
import { addSalePages, answerPage, titles } from './pages/sale-pages.ts';
import { type Mount, RequestError, type StandIn } from './provider.ts';
import { ActError, type Provider, providers } from './sales/sale.ts';
import type { StandInsLog } from './stand-ins-log.ts';

export type AppOptions = Mount & {
  standIns: Record<Provider, StandIn>;
  isOff: (provider: Provider) => boolean;
  /** Sends what an act on a page caused. */
  afterAct: () => Promise<void>;
  log: StandInsLog;
};

/** The paths of all providers below one prefix. */
export function createApp({ standIns, isOff, afterAct, log, ...mount }: AppOptions): Hono {
  const app = new Hono();
  for (const provider of providers) {
    const own = new Hono();
    standIns[provider].routes(own, mount);
    for (const path of new Set(own.routes.map((route) => route.path)))
      app.use(path, async (context, next) =>
        isOff(provider) ? context.text('Service Unavailable', 503, { 'retry-after': '60' }) : next(),
      );
    app.route('/', own);
  }
  addSalePages(app, mount, { isOff, afterAct });
  app.onError((error, context) => {
    if (error instanceof ActError) return context.text(error.message, 409);
    if (error instanceof RequestError) {
      const page = { provider: titles[error.provider], title: 'This order is not right', text: error.message };
      return answerPage(context, mount, page, [], 400);
    }
    log.warn({ err: error, path: context.req.path }, 'A stand-in of a payment provider failed');
    return context.text('Internal Server Error', 500);
  });
  return app;
}
