import { Hono } from 'hono';
import type { Config } from '#config';
import { errorResponse, refuseUnlessRead } from '../errors.ts';

/** Pages that open in an app, with those of each language: those with a content-source tag for links (spec §7). */
const opened = ['/audio/*', '/creators/*'].flatMap((path) => [path, `/??${path}`]);
/** Files below these pages. */
const files = ['*.xml', '*.json', '*.data'];

const caching = { 'cache-control': 'public, max-age=3600' };

/** Lets the operator's own apps open links to the site, which their makers' servers ask for without redirects. */
export function appLinkRoutes({ ios, android }: Config['linkedApps']): Hono {
  const app = new Hono();

  // https://developer.apple.com/documentation/xcode/supporting-associated-domains
  app.get('/.well-known/apple-app-site-association', () => {
    if (ios === undefined) return errorResponse('request/not-found');
    const components = [
      ...files.map((path) => ({ '/': path, exclude: true })),
      ...opened.map((path) => ({ '/': path })),
    ];
    return Response.json({ applinks: { details: [{ appIDs: ios, components }] } }, { headers: caching });
  });

  // https://developers.google.com/digital-asset-links/v1/getting-started; the app itself names the paths.
  app.get('/.well-known/assetlinks.json', () => {
    if (android === undefined) return errorResponse('request/not-found');
    const { packageName, fingerprints } = android;
    const target = {
      namespace: 'android_app',
      package_name: packageName,
      sha256_cert_fingerprints: fingerprints,
    };
    return Response.json([{ relation: ['delegate_permission/common.handle_all_urls'], target }], { headers: caching });
  });

  for (const path of ['/.well-known/apple-app-site-association', '/.well-known/assetlinks.json'])
    app.all(path, refuseUnlessRead);
  return app;
}
