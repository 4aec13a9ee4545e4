import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startSite } from '../../bench/site-process.ts';
import type { FirefoxPrograms, WebKitPrograms } from './browser/engines.ts';
import { siteTimeZone } from './time-zones.ts';
import { findBrowser, findOtherBrowsers } from '../../scripts/browser.mjs';

/** The built site with its demo catalogue, as run by `npm start`, and a browser. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sotto-e2e-'));
  const browserPath = await findBrowser();
  const site = await startSite({ DATA_DIR: dataDir, TRUST_PROXY: '1', TZ: siteTimeZone });
  project.provide('siteUrl', site.url);
  project.provide('browserPath', browserPath);
  project.provide('otherBrowsers', findOtherBrowsers());
  return async () => {
    await site.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}

declare module 'vitest' {
  export interface ProvidedContext {
    siteUrl: string;
    browserPath: string;
    /** Undefined: not installed here. */
    otherBrowsers: { firefox: FirefoxPrograms | undefined; webkit: WebKitPrograms | undefined };
  }
}
