import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const SiteAddress = z.object({
  siteUrl: z.url(),
  host: z.string(),
  port: z.int(),
  trustProxy: z.int(),
});
type SiteAddress = z.infer<typeof SiteAddress>;

/** Stored by the running site, so that commands started without its settings print links to it. */
export async function keepSiteAddress(dataDir: string, address: SiteAddress): Promise<void> {
  await writeFile(pathIn(dataDir), `${JSON.stringify(address)}\n`);
}

/** @returns undefined when no site has listened yet, or the file cannot be used */
export function readSiteAddress(dataDir: string): SiteAddress | undefined {
  try {
    return SiteAddress.safeParse(JSON.parse(readFileSync(pathIn(dataDir), 'utf8'))).data;
  } catch {
    return undefined;
  }
}

function pathIn(dataDir: string): string {
  return join(dataDir, 'address.json');
}
