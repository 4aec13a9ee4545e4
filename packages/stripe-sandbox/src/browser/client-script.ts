import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** The sandbox's source files that browsers may load. */
const shared = [
  'browser/client/main.ts',
  'browser/client/stripe.ts',
  'browser/client/elements.ts',
  'browser/client/card-field.ts',
  'browser/client/card-formats.ts',
  'browser/client/field-style.ts',
  'browser/client/bank-dialog.ts',
  'browser/client/call.ts',
  'cards/card-number.ts',
];

const scripts = new Map<string, Promise<string>>();

/** A module without its types; undefined for files that browsers may not load. */
export async function readClientScript(path: string): Promise<string | undefined> {
  if (!shared.includes(path)) return undefined;
  let script = scripts.get(path);
  if (script === undefined) {
    script = readFile(join(root, path), 'utf8').then((source) => stripTypeScriptTypes(source));
    scripts.set(path, script);
  }
  return script;
}
