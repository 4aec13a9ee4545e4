import type Stripe from 'stripe';
import { z } from 'zod';
import { type Endpoint, get, named } from '../http/endpoint.ts';
import { findRate } from './rates.ts';

export const taxEndpoints: Endpoint[] = [
  get('/v1/tax_rates/:id', z.strictObject({}), async (_work, _input, path) => findRate(named(path, 'id'))),
  get('/v1/tax/settings', z.strictObject({}), async () => {
    const settings: Stripe.Tax.Settings = {
      object: 'tax.settings',
      defaults: { provider: 'stripe', tax_behavior: 'inclusive', tax_code: null },
      head_office: {
        address: {
          city: 'Berlin',
          country: 'DE',
          line1: 'Lindenstraße 14',
          line2: null,
          postal_code: '10969',
          state: null,
        },
      },
      livemode: false,
      status: 'active',
      status_details: { active: {} },
    };
    return settings;
  }),
];
