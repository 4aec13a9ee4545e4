import { createRoute, z } from '@hono/zod-openapi';
import { maxLookFileBytes } from '#domain/admin/rules.ts';
import * as forms from '#domain/look/forms.ts';
import { limitBody } from '../limits/limit-body.ts';
import { adminOnly, freshAdminOnly, inOrder, limitAccount, loggedInOnly, personal } from './guards.ts';
import { ErrorResponse, failures, json, jsonBody, refusals, writeRefusals } from '#api/schemas.ts';
import { pictureBodyBytes } from './studio-pictures.ts';

/** The look of the site, for operators. */

const admin = inOrder(personal, loggedInOnly, adminOnly, limitAccount('admin-look', 60));
const fresh = inOrder(personal, loggedInOnly, freshAdminOnly, limitAccount('admin-look', 60));
const tags = ['Admin'];
const done = { description: 'Done' };
const answers = {
  ...writeRefusals,
  ...failures,
  409: json(ErrorResponse, 'Changed meanwhile: nothing was saved'),
} as const;
const writing = inOrder(...admin, limitBody(64 * 1024));

const revision = z.int().min(0).max(2_147_483_646).describe('Of the value that was seen; 0: never changed');
const change = <Value extends z.ZodType>(value: Value) => jsonBody(z.strictObject({ value, revision }));

export const parts = [
  'name',
  'logo',
  'icon',
  'card',
  'colors',
  'hero',
  'hero-picture',
  'sign-up',
  'footer',
  'home',
] as const;

export const changeName = createRoute({
  method: 'put',
  path: '/admin/look/name',
  middleware: writing,
  tags,
  summary: 'Renames the site',
  request: { body: change(forms.NameForm) },
  responses: { 204: done, ...answers },
});

export const changeColors = createRoute({
  method: 'put',
  path: '/admin/look/colors',
  middleware: writing,
  tags,
  summary: 'Changes accent and ground of both themes; refused where something could not be read',
  request: { body: change(forms.ColorsForm) },
  responses: { 204: done, ...answers },
});

export const changeHero = createRoute({
  method: 'put',
  path: '/admin/look/hero',
  middleware: writing,
  tags,
  summary: 'Changes the first lines on Home',
  request: { body: change(forms.HeroForm) },
  responses: { 204: done, ...answers },
});

export const changeSignUp = createRoute({
  method: 'put',
  path: '/admin/look/sign-up',
  middleware: writing,
  tags,
  summary: 'Changes the note above the sign-up',
  request: { body: change(forms.SignUpForm) },
  responses: { 204: done, ...answers },
});

export const changeFooter = createRoute({
  method: 'put',
  path: '/admin/look/footer',
  middleware: writing,
  tags,
  summary: 'Changes the footer',
  request: { body: change(forms.FooterForm) },
  responses: { 204: done, ...answers },
});

export const changeHome = createRoute({
  method: 'put',
  path: '/admin/look/home',
  middleware: writing,
  tags,
  summary: 'Changes the rails on Home, for visitors and for listeners',
  request: { body: change(forms.HomeForm) },
  responses: { 204: done, ...answers },
});

export const changePicture = createRoute({
  method: 'put',
  path: '/admin/look/pictures/{part}',
  middleware: inOrder(...admin, limitBody(pictureBodyBytes)),
  tags,
  summary: 'Takes a new logo, icon, share card or picture of Home',
  request: {
    params: z.object({ part: z.enum(['logo', 'icon', 'card', 'hero-picture']) }),
    body: jsonBody(
      z.strictObject({
        picture: z
          .base64('Send the picture in base64')
          .min(8)
          .describe('PNG, JPEG, WebP or AVIF; SVG for logo and icon'),
        theme: z.enum(['dark', 'light']).optional().describe('Of the logo'),
        revision,
      }),
    ),
  },
  responses: {
    200: json(z.object({ removed: z.array(z.string()).describe('Names of the parts removed from an SVG') }), 'Saved'),
    ...answers,
  },
});

export const resetLook = createRoute({
  method: 'post',
  path: '/admin/look/{part}/reset',
  middleware: writing,
  tags,
  summary: 'Makes a part of the look as the site comes',
  request: { params: z.object({ part: z.enum(parts) }), body: jsonBody(z.strictObject({ revision })) },
  responses: { 204: done, ...answers },
});

export const importLook = createRoute({
  method: 'post',
  path: '/admin/look/import',
  // JSON's escapes make the text longer.
  middleware: inOrder(...fresh, limitBody(maxLookFileBytes + 1024 * 1024)),
  tags,
  summary: 'Replaces the whole look by an exported one; can be undone',
  request: { body: jsonBody(z.strictObject({ file: z.string().min(1) })) },
  responses: { 204: done, ...answers },
});

export const undoImport = createRoute({
  method: 'post',
  path: '/admin/look/undo-import',
  middleware: fresh,
  tags,
  summary: 'Takes the last import back',
  responses: { 204: done, ...refusals, ...failures, 409: answers[409] },
});
