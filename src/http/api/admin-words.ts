import { OpenAPIHono } from '@hono/zod-openapi';
import { DomainError } from '#domain/kernel/errors.ts';
import * as contract from './admin-words-contract.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import { toPicture } from './studio-pictures.ts';

function known(isKnown: boolean): void {
  if (!isKnown) throw new DomainError('request/not-found');
}

/** Articles, topics, info pages and mails, for operators. */
export function adminWordRoutes({
  site: {
    admin: { texts: words },
  },
}: ApiParts) {
  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.createArticle, async (context) => {
      const { viewer } = context.get('loggedIn');
      return context.json({ id: await words.createArticle(viewer, context.req.valid('json')) }, 201);
    })
    .openapi(contract.editArticle, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { id } = context.req.valid('param');
      return context.json({ revision: await words.editArticle(viewer, id, context.req.valid('json')) }, 200);
    })
    .openapi(contract.publishArticle, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { id } = context.req.valid('param');
      return context.json({ revision: await words.publishArticleAt(viewer, id, context.req.valid('json')) }, 200);
    })
    .openapi(contract.setArticlePicture, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { id } = context.req.valid('param');
      const { revision, picture, area, drawn } = context.req.valid('json');
      const bytes = toPicture(picture);
      const choice =
        drawn !== undefined
          ? { drawn }
          : area !== undefined
            ? { area }
            : bytes instanceof Uint8Array
              ? { picture: bytes }
              : { picture: null };
      if (bytes === undefined && 'picture' in choice)
        throw new DomainError('request/invalid', 'Send a picture or null.');
      return context.json({ revision: await words.setArticlePicture(viewer, id, { revision, ...choice }) }, 200);
    })
    .openapi(contract.deleteArticle, async (context) => {
      known(await words.deleteArticle(context.get('loggedIn').viewer, context.req.valid('param').id));
      return context.body(null, 204);
    })
    .openapi(contract.restoreArticle, async (context) => {
      known(await words.restoreArticle(context.get('loggedIn').viewer, context.req.valid('param').id));
      return context.body(null, 204);
    })
    .openapi(contract.previewMarkdown, async (context) =>
      context.json(await words.previewMarkdown(context.get('loggedIn').viewer, context.req.valid('json').text), 200),
    )
    .openapi(contract.changeTopics, async (context) => {
      await words.changeTopics(context.get('loggedIn').viewer, context.req.valid('json'));
      return context.body(null, 204);
    })
    .openapi(contract.changeInfoText, async (context) => {
      const { viewer } = context.get('loggedIn');
      await words.changeInfoText(viewer, context.req.valid('param').name, context.req.valid('json'));
      return context.body(null, 204);
    })
    .openapi(contract.previewInfoPage, async (context) => {
      const { viewer } = context.get('loggedIn');
      const { title, description, html } = await words.previewInfoPage(
        viewer,
        context.req.valid('param').name,
        context.req.valid('json').text,
      );
      return context.json({ title, description, html }, 200);
    })
    .openapi(contract.changeRetention, async (context) => {
      await words.changeRetention(context.get('loggedIn').viewer, context.req.valid('json'));
      return context.body(null, 204);
    })
    .openapi(contract.changeMailText, async (context) => {
      const { viewer } = context.get('loggedIn');
      await words.changeMailText(viewer, context.req.valid('param').key, context.req.valid('json'));
      return context.body(null, 204);
    })
    .openapi(contract.previewMail, (context) => {
      const { viewer } = context.get('loggedIn');
      return context.json(
        words.previewMailText(viewer, context.req.valid('param').key, context.req.valid('json')),
        200,
      );
    });
}
