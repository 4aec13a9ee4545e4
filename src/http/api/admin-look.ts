import { OpenAPIHono } from '@hono/zod-openapi';
import type { LookOutcome } from '#domain/admin/site/look.ts';
import { DomainError } from '#domain/kernel/errors.ts';
import * as contract from './admin-look-contract.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';

function done(outcome: LookOutcome): string[] {
  if (!outcome.ok) throw new DomainError(outcome.reason, outcome.message);
  return outcome.removed ?? [];
}

/** The look of the site, for operators. */
export function adminLookRoutes({
  site: {
    admin: { site: adminLook },
  },
}: ApiParts) {
  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.changeName, async (context) => {
      done(await adminLook.changeLook(context.get('loggedIn').viewer, 'name', context.req.valid('json')));
      return context.body(null, 204);
    })
    .openapi(contract.changeColors, async (context) => {
      done(await adminLook.changeLook(context.get('loggedIn').viewer, 'colors', context.req.valid('json')));
      return context.body(null, 204);
    })
    .openapi(contract.changeHero, async (context) => {
      done(await adminLook.changeLook(context.get('loggedIn').viewer, 'hero', context.req.valid('json')));
      return context.body(null, 204);
    })
    .openapi(contract.changeSignUp, async (context) => {
      done(await adminLook.changeLook(context.get('loggedIn').viewer, 'sign-up', context.req.valid('json')));
      return context.body(null, 204);
    })
    .openapi(contract.changeFooter, async (context) => {
      done(await adminLook.changeLook(context.get('loggedIn').viewer, 'footer', context.req.valid('json')));
      return context.body(null, 204);
    })
    .openapi(contract.changeHome, async (context) => {
      done(await adminLook.changeLook(context.get('loggedIn').viewer, 'home', context.req.valid('json')));
      return context.body(null, 204);
    })
    .openapi(contract.changePicture, async (context) => {
      const { part } = context.req.valid('param');
      const { picture, ...change } = context.req.valid('json');
      const { viewer } = context.get('loggedIn');
      const outcome = await adminLook.changeLookPicture(viewer, part, {
        ...change,
        picture: Buffer.from(picture, 'base64'),
      });
      return context.json({ removed: done(outcome) }, 200);
    })
    .openapi(contract.importLook, async (context) => {
      done(await adminLook.importLook(context.get('loggedIn').viewer, context.req.valid('json').file));
      return context.body(null, 204);
    })
    .openapi(contract.undoImport, async (context) => {
      done(await adminLook.undoImport(context.get('loggedIn').viewer));
      return context.body(null, 204);
    })
    .openapi(contract.resetLook, async (context) => {
      const { viewer } = context.get('loggedIn');
      done(await adminLook.resetLook(viewer, context.req.valid('param').part, context.req.valid('json').revision));
      return context.body(null, 204);
    });
}
