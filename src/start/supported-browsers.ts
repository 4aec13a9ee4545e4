import { readFileSync } from 'node:fs';

/** The supported browsers of package.json, with the lowest version of each, by their names there. */
export function supportedBrowsers(): { name: string; version: number }[] {
  const file = new URL('../../package.json', import.meta.url);
  const { browserslist } = JSON.parse(readFileSync(file, 'utf8')) as { browserslist: string[] };
  return browserslist.map((query) => {
    const [, name, version] = /^(\w+) >= ([\d.]+)$/.exec(query) ?? [];
    if (name === undefined) throw new Error(`Not a browser with its lowest version: ${query}`);
    return { name, version: Number(version) };
  });
}

/** Vite's target for scripts and style sheets of browsers (https://vite.dev/config/build-options#build-target). */
export const browserTarget = supportedBrowsers().map(
  ({ name, version }) => `${name === 'ios_saf' ? 'ios' : name}${version}`,
);
