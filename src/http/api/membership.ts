import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { DomainError } from '#domain/errors.ts';
import type { AttemptKind } from '#domain/identity/attempts.ts';
import type { ChangeOutcome } from '#domain/membership/changes.ts';
import { CancelForm, PromoCode, PromoCodeField } from '#domain/membership/forms.ts';
import type { Site } from '#domain/site.ts';
import { limitBody } from '../limit-body.ts';
import { clientAddress } from '../rate-limit.ts';
import type { ViewerEnv } from '../viewer.ts';
import { personal, requireLoggedIn } from '../viewer.ts';
import { MeAnswer } from './identity.ts';
import { refuseInvalid } from './invalid.ts';
import {
  ActionAnswer,
  InvoiceAnswer,
  InvoiceDetailAnswer,
  OfferAnswer,
  Period,
  PeriodPreviewAnswer,
  PreviewAnswer,
  SubscriptionAnswer,
  written,
} from './membership-schemas.ts';
import { ErrorAnswer, failures, json, PageQuery, pageOf } from './schemas.ts';

const Changed = z.object({ subscription: SubscriptionAnswer, action: ActionAnswer, user: MeAnswer }).openapi('Changed');

const unauthorized = json(ErrorAnswer, 'Log in first');
/** For the description alone: as part of each call's type they would cost the compiler minutes. */
const refusals: Record<never, never> = {
  400: failures[400],
  401: unauthorized,
  402: json(ErrorAnswer, 'The card was declined'),
  409: json(ErrorAnswer, 'Not in this state'),
  429: json(ErrorAnswer, 'Too many tries'),
  503: json(ErrorAnswer, 'The payment provider cannot be reached'),
};

const PaymentMethodId = z.string().min(1).max(200);

const WithoutTrial = z.boolean().default(false);

const CreateBody = z.object({
  paymentMethodId: PaymentMethodId.describe('What the provider’s script gave for the card'),
  subIsWeb: z.boolean().optional(),
  period: Period.default('year'),
  promoCode: PromoCodeField,
  withoutTrial: WithoutTrial.describe('Knows that this card has no free trial, and what is charged'),
});

function body<Schema extends z.ZodType>(schema: Schema) {
  return { body: { required: true, content: { 'application/json': { schema } } } };
}

export type MembershipRoutesOptions = { site: Site; trustProxy: number };

/** Counts a try of a card or code. @throws DomainError `request/too-many` */
export async function takeTry(
  { site, trustProxy }: MembershipRoutesOptions,
  context: Context<ViewerEnv>,
  kind: Extract<AttemptKind, 'card' | 'code'>,
): Promise<void> {
  const viewer = context.get('viewer');
  const account = viewer.kind === 'user' ? viewer.id : undefined;
  const scope = await site.identity.attempts.take(kind, { account, address: clientAddress(context, trustProxy) });
  if (scope !== undefined) throw new DomainError('request/too-many');
}

/** Spec §7, `POST /stripe/create-subscription`, and all that a subscriber does afterwards. */
export function membershipRoutes(options: MembershipRoutesOptions) {
  const { membership, identity, facts } = options.site;
  const app = new OpenAPIHono<ViewerEnv>({ defaultHook: refuseInvalid });
  for (const path of [
    '/stripe/*',
    '/subscription/preview',
    '/user/subscription/*',
    '/user/subscription',
    '/user/invoices/*',
    '/user/invoices',
  ])
    app.use(path, limitBody(16 * 1024), personal);

  async function answerChanged(context: Context<ViewerEnv>, outcome: ChangeOutcome) {
    const { viewer } = requireLoggedIn(context);
    if (!outcome.ok) throw new DomainError(outcome.reason);
    const [subscription, user] = await Promise.all([
      membership.findSubscription(viewer.id),
      identity.findMe(viewer.id),
    ]);
    if (user === undefined) throw new DomainError('auth/login-required');
    return context.json({ subscription: written(subscription), action: outcome.action ?? null, user }, 200);
  }

  function change<Method extends 'post' | 'put', Path extends string, Schema extends z.ZodType>(
    method: Method,
    path: Path,
    summary: string,
    schema: Schema,
  ) {
    return createRoute({
      method,
      path,
      tags: ['Subscription'],
      summary,
      request: body(schema),
      responses: { 200: json(Changed, 'As it is now'), ...refusals },
    });
  }

  function act<Path extends string>(path: Path, summary: string) {
    return createRoute({
      method: 'post',
      path,
      tags: ['Subscription'],
      summary,
      responses: { 200: json(Changed, 'As it is now'), ...refusals },
    });
  }

  return app
    .openapi(
      createRoute({
        method: 'get',
        path: '/subscription/offer',
        tags: ['Subscription'],
        summary: 'Prices, trial and gift cards',
        responses: { 200: json(OfferAnswer, 'Offer') },
      }),
      async (context) =>
        context.json({ ...(await membership.findOffer()), testCards: facts.testCards, payments: facts.payments }, 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/subscription/preview',
        tags: ['Subscription'],
        summary: 'What subscribing would cost, and when: shown before paying',
        request: body(
          z.object({
            period: Period,
            promoCode: PromoCodeField,
            withoutTrial: WithoutTrial.describe('With a card that has had its trial'),
          }),
        ),
        responses: { 200: json(PreviewAnswer, 'Preview'), ...refusals },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        const order = context.req.valid('json');
        if (order.promoCode !== undefined) await takeTry(options, context, 'code');
        const outcome = await membership.previewSubscription(viewer.id, order);
        if (!outcome.ok) throw new DomainError(outcome.reason);
        return context.json(written(outcome.preview), 200);
      },
    )
    .openapi(
      change('post', '/stripe/create-subscription', 'Subscribes; sent twice, it makes one subscription', CreateBody),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        const { subIsWeb: _web, promoCode, ...order } = context.req.valid('json');
        await takeTry(options, context, 'card');
        const outcome = await membership.createSubscription(viewer.id, { ...order, promoCode });
        if (!outcome.ok) throw new DomainError(outcome.reason, outcome.message);
        return answerChanged(context, outcome);
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/user/subscription',
        tags: ['Subscription'],
        summary: 'The subscription of whoever asks',
        responses: { 200: json(SubscriptionAnswer, 'Subscription'), 401: unauthorized },
      }),
      async (context) =>
        context.json(written(await membership.findSubscription(requireLoggedIn(context).viewer.id)), 200),
    )
    .openapi(act('/user/subscription/refresh', 'Asks the provider now, after the bank’s step'), async (context) => {
      const action = await membership.refreshSubscription(requireLoggedIn(context).viewer.id);
      return answerChanged(context, { ok: true, action });
    })
    .openapi(
      createRoute({
        method: 'post',
        path: '/user/subscription/period/preview',
        tags: ['Subscription'],
        summary: 'What changing the period would cost, and from when it counts',
        request: body(z.object({ period: Period })),
        responses: { 200: json(PeriodPreviewAnswer, 'Preview'), ...refusals },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        const outcome = await membership.previewPeriodChange(viewer.id, context.req.valid('json').period);
        if (!outcome.ok) throw new DomainError(outcome.reason);
        return context.json(written(outcome.preview), 200);
      },
    )
    .openapi(
      change(
        'put',
        '/user/subscription/period',
        'Changes the period; the present one takes a planned change back',
        z.object({ period: Period }),
      ),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        return answerChanged(context, await membership.changePeriod(viewer.id, context.req.valid('json').period));
      },
    )
    .openapi(
      change('post', '/user/subscription/cancel', 'Cancels: usable until the paid time ends', CancelForm),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        return answerChanged(context, await membership.cancelSubscription(viewer.id, context.req.valid('json').reason));
      },
    )
    .openapi(act('/user/subscription/resume', 'Takes a cancellation back'), async (context) =>
      answerChanged(context, await membership.resumeSubscription(requireLoggedIn(context).viewer.id)),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/user/subscription/card',
        tags: ['Subscription'],
        summary: 'Begins a change of card',
        responses: { 200: json(z.object({ setupId: z.string(), clientSecret: z.string() }), 'Begun'), ...refusals },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        await takeTry(options, context, 'card');
        return context.json(await membership.startCardChange(viewer.id), 200);
      },
    )
    .openapi(
      change(
        'put',
        '/user/subscription/card',
        'Charges go to the new card; what is open is charged to it at once',
        z.object({ setupId: z.string().min(1).max(200) }),
      ),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        return answerChanged(context, await membership.finishCardChange(viewer.id, context.req.valid('json').setupId));
      },
    )
    .openapi(
      change(
        'post',
        '/user/subscription/promo-code',
        'Applies a promo code to the charges to come',
        z.object({ promoCode: PromoCode.min(1) }),
      ),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        await takeTry(options, context, 'code');
        return answerChanged(context, await membership.applyPromoCode(viewer.id, context.req.valid('json').promoCode));
      },
    )
    .openapi(act('/user/subscription/pay', 'Tries the charge that failed again'), async (context) => {
      const { viewer } = requireLoggedIn(context);
      await takeTry(options, context, 'card');
      return answerChanged(context, await membership.payOpenInvoice(viewer.id));
    })
    .openapi(
      createRoute({
        method: 'get',
        path: '/user/invoices',
        tags: ['Subscription'],
        summary: 'Invoices, newest first',
        request: { query: PageQuery },
        responses: { 200: json(pageOf(InvoiceAnswer), 'A page'), 400: failures[400], 401: unauthorized },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        return context.json(written(await membership.listInvoices(viewer.id, context.req.valid('query'))), 200);
      },
    )
    .openapi(
      createRoute({
        method: 'get',
        path: '/user/invoices/{id}',
        tags: ['Subscription'],
        summary: 'One invoice, with what a printed one needs',
        request: { params: z.object({ id: z.uuid() }) },
        responses: { 200: json(InvoiceDetailAnswer, 'Invoice'), 401: unauthorized, ...failures },
      }),
      async (context) => {
        const { viewer } = requireLoggedIn(context);
        const invoice = await membership.findInvoice(viewer.id, context.req.valid('param').id);
        if (invoice === undefined) throw new DomainError('request/not-found');
        return context.json(written(invoice), 200);
      },
    );
}
