import { createRoute, z } from '@hono/zod-openapi';
import { MembershipSettings } from '#domain/membership/settings.ts';
import { hasCents } from '#formats/numbers.ts';
import { Features } from '#domain/settings/features.ts';
import { formOf } from '#domain/settings/form-of.ts';
import { Limits } from '#domain/settings/limits.ts';
import { limitBody } from '../limits/limit-body.ts';
import { adminOnly, freshAdminOnly, inOrder, limitAccount, personal } from './guards.ts';
import { sameSiteOnly } from './same-site.ts';
import { ErrorResponse, failures, json, jsonBody, refusals } from '#api/schemas.ts';

/** Settings that change while the site runs. Each section is saved as a whole, with the revision that the operator saw. */

const acting = inOrder(personal, sameSiteOnly, adminOnly, limitAccount('admin', 120), limitBody(16 * 1024));
/** Prices are money. */
const pricing = inOrder(personal, sameSiteOnly, freshAdminOnly, limitAccount('admin', 60), limitBody(16 * 1024));
const answers = { ...refusals, ...failures };
const changed = {
  204: { description: 'Saved' },
  ...answers,
  409: json(ErrorResponse, 'Someone else changed these settings meanwhile'),
};
const revision = z.number().int().min(0).describe('The revision of the last answer; another one is a conflict (409)');

const sectionOf = <Value extends z.ZodType>(value: Value) =>
  z.object({
    value,
    standard: value,
    revision: z.number().int(),
    changedBy: z.object({ id: z.uuid(), username: z.string().nullable() }).nullable(),
    changedAt: z.iso.datetime().nullable(),
  });

const MembershipForm = formOf(MembershipSettings).refine(({ currency }) => hasCents(currency), {
  path: ['currency'],
  error: 'must be a currency with cents',
});

export const findSettings = createRoute({
  middleware: acting,
  tags: ['Admin'],
  method: 'get',
  path: '/admin/settings',
  summary: 'Settings that change while the site runs, with their defaults and who changed them',
  responses: {
    200: json(
      z.object({
        membership: sectionOf(formOf(MembershipSettings)),
        features: sectionOf(formOf(Features)),
        limits: sectionOf(formOf(Limits)),
      }),
      'Settings',
    ),
    ...answers,
  },
});

export const changeMembership = createRoute({
  middleware: pricing,
  tags: ['Admin'],
  method: 'put',
  path: '/admin/settings/membership',
  summary: 'Prices, trial and gift cards; current subscribers keep their price',
  request: { body: jsonBody(z.strictObject({ value: MembershipForm, revision })) },
  responses: changed,
});

export const changeFeatures = createRoute({
  middleware: acting,
  tags: ['Admin'],
  method: 'put',
  path: '/admin/settings/features',
  summary: 'Turns parts of the site on or off',
  request: { body: jsonBody(z.strictObject({ value: formOf(Features), revision })) },
  responses: changed,
});

export const changeLimits = createRoute({
  middleware: acting,
  tags: ['Admin'],
  method: 'put',
  path: '/admin/settings/limits',
  summary: 'How much one person may do',
  request: { body: jsonBody(z.strictObject({ value: formOf(Limits), revision })) },
  responses: changed,
});
