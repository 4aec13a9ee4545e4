import { existsSync } from 'node:fs';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServerBuild } from 'react-router';
import { StartError } from '#db/embedded/start-error.ts';
import type { Shutdown } from './shutdown.ts';

export type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

/**
 * Opens the built pages or, in development, Vite.
 * @param options.root of the repository
 * @throws StartError without a build
 */
export async function openPages(options: { root: string; development: boolean; server: Server; shutdown: Shutdown }) {
  const { root, development, server, shutdown } = options;
  if (!development) {
    // Load the server build before listening; /readyz depends on it.
    const build = await importBuild(root);
    return { loadBuild: async () => build, middlewares: undefined };
  }
  const { createServer } = await import('vite');
  const vite = await createServer({
    root,
    // The HMR socket shares the site's port, so that two sites in development do not collide.
    server: { middlewareMode: true, hmr: { server } },
    appType: 'custom',
  });
  shutdown.closeAtEnd('Vite', () => vite.close());
  return {
    middlewares: vite.middlewares,
    loadBuild: () => vite.ssrLoadModule('virtual:react-router/server-build') as Promise<ServerBuild>,
  };
}

async function importBuild(root: string): Promise<ServerBuild> {
  const path = join(root, 'build', 'server', 'index.js');
  if (!existsSync(path)) throw new StartError('the pages are not built; npm start builds them');
  return (await import(pathToFileURL(path).href)) as ServerBuild;
}
