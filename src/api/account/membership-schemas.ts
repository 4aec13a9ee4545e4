import { z } from '@hono/zod-openapi';
import * as shapes from '#domain/membership/shapes.ts';

/** The shapes of a membership under their names in the API's reference. */

export const OfferResponse = z
  .object({
    ...shapes.Offer.shape,
    testCards: z.array(shapes.TestCard).describe('Of a sandbox; empty where cards are real'),
    payments: shapes.BrowserPaymentSettings.describe('How new subscriptions are paid'),
    cardPayments: shapes.CardPaymentSettings.nullable().describe('What the script of a card form is opened with'),
  })
  .openapi('Offer');

const discount = z.object(shapes.Discount.shape).openapi('Discount').nullable();
export const PreviewResponse = z.object({ ...shapes.Preview.shape, discount }).openapi('SubscriptionPreview');
export const SubscriptionResponse = z.object({ ...shapes.Subscription.shape, discount }).openapi('Subscription');
export const CheckoutResponse = z.object(shapes.CheckoutState.shape).openapi('Checkout');
export const PeriodPreviewResponse = z.object(shapes.PeriodPreview.shape).openapi('PeriodPreview');
export const ActionResponse = z
  .object(shapes.Action.shape)
  .nullable()
  .openapi('PaymentAction', { description: 'What the bank asks of the customer, by the provider’s own script' });
export const InvoiceResponse = z.object(shapes.Invoice.shape).openapi('Invoice');
export const InvoiceDetailResponse = InvoiceResponse.extend(shapes.InvoiceDetail.shape).openapi('InvoiceDetail');
export const GiftCardResponse = z.object(shapes.GiftCard.shape).openapi('GiftCard');
