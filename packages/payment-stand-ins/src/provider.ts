import type { Hono } from 'hono';
import type { Message } from './postbacks/deliveries.ts';
import type { Happening, Provider, Sale } from './sales/sale.ts';
import type { Engine } from './engine.ts';

/** Protocol of one provider. */
export type StandIn = {
  /** The real provider's paths. */
  routes(app: Hono, at: Mount): void;
  /** Undefined where the provider says nothing of it. */
  contentOf(sale: Sale, happening: Happening): object | undefined;
  messageOf(content: object, wrongly: boolean): Message;
};

export type Mount = {
  engine: Engine;
  /** Begins the paths of browsers, such as `/payment-stand-ins`, or empty. */
  prefix: string;
  /** Address of it, for links in answers. */
  publicUrl: () => string;
  /** Page on which a buyer goes back to the site. */
  siteUrl: string;
  /** Sends what an act caused, after the answer to it. */
  deliverLater: () => void;
};

/** Shown to browsers instead of an order that is not right. */
export class RequestError extends Error {
  override name = 'RequestError';
  readonly provider: Provider;

  constructor(provider: Provider, message: string) {
    super(message);
    this.provider = provider;
  }
}
