import { z } from '@hono/zod-openapi';
import { TipForm } from '#domain/membership/tips/forms.ts';
import * as shapes from '#domain/membership/tips/shapes.ts';
import { userCall } from '../call.ts';

/** Tips of listeners to creators. */

const own = { sameSite: true, place: 'payment-provider' } as const;
const TipResponse = z.object(shapes.Tip.shape).openapi('Tip');

export const giveTip = userCall({
  post: '/tips',
  about: 'Begins a tip to a creator; the browser pays with the secret',
  input: TipForm,
  output: z.object({
    tip: TipResponse,
    clientSecret: z.string().describe('For the provider’s script; empty where `url` is set'),
    url: z.url().nullable().describe('Page of the provider on which the tip is paid'),
  }),
  status: 201,
  errors: ['tip/off', 'tip/amount', 'payment/unavailable'],
  ...own,
  attempt: 'card',
  once: true,
  async act({ site, viewer, input, context, parts }) {
    const region = parts.ages.regionOf(context);
    const { url = null, ...begun } = await site.membership.startTip(viewer.id, { ...input, region });
    return { ...begun, url };
  },
});

export const refreshTip = userCall({
  post: '/tips/{id}/refresh',
  about: 'Checks the state of a tip’s payment at the provider',
  output: z.object({ tip: TipResponse }),
  errors: ['payment/unavailable'],
  ...own,
  attempt: 'refresh',
  async act({ site, viewer, id }) {
    const tip = await site.membership.refreshTip(viewer.id, id);
    return tip && { tip };
  },
});
