import { expect, test } from 'vitest';
import { commonHeaders, identityOrigins, pagePolicy, storageOrigins } from './security-headers.ts';

const firebase = {
  provider: 'firebase',
  apiKey: 'demo-key',
  authDomain: 'demo-sotto.firebaseapp.com',
  projectId: 'demo-sotto',
  emulatorUrl: null,
  social: [],
} as const;

function rules(origins?: ReturnType<typeof identityOrigins>): Record<string, string> {
  const policy = pagePolicy({ hashes: ["'sha256-h'"], secure: true, development: false, ...(origins && { origins }) });
  return Object.fromEntries(policy.split('; ').map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1).join(' ')]));
}

test('HSTS is for a site with TLS, and for its subdomains only by setting', () => {
  const hsts = (siteUrl: string, hstsSubdomains = false) =>
    commonHeaders({ siteUrl, hstsSubdomains })['strict-transport-security'];
  expect(hsts('http://sotto.example', true)).toBeUndefined();
  expect(hsts('https://sotto.example')).toBe('max-age=63072000');
  expect(hsts('https://sotto.example', true)).toBe('max-age=63072000; includeSubDomains');
});

test('with the built-in provider a page connects only to its own site', () => {
  const own = rules(identityOrigins({ provider: 'built-in', social: ['google', 'facebook'], isLocal: false }));
  expect(own).toEqual(rules());
  expect(own).toMatchObject({ 'connect-src': "'self'", 'script-src': "'self' 'sha256-h'", 'default-src': "'none'" });
  expect(own).not.toHaveProperty('frame-src');
});

test('with Firebase it may load only what signing in needs', () => {
  const {
    'connect-src': connect,
    'script-src': script,
    'frame-src': frame,
    ...rest
  } = rules(identityOrigins(firebase));
  expect(connect).toBe("'self' https://identitytoolkit.googleapis.com https://securetoken.googleapis.com");
  expect(script).toBe("'self' 'sha256-h' https://apis.google.com");
  expect(frame).toBe('https://demo-sotto.firebaseapp.com');
  const { 'connect-src': _connect, 'script-src': _script, ...own } = rules();
  expect(rest).toEqual(own);
});

test('with object storage that listeners are sent to, sound may come from there, and nothing else', () => {
  const links = { origin: 'https://cdn.sotto.example', sign: async () => '' };
  const remote = { open: async () => undefined, copy: async () => {}, clockAhead: () => 0 };
  expect(rules(storageOrigins({ remote: { ...remote, links } }))).toEqual({
    ...rules(),
    'media-src': "'self' blob: https://cdn.sotto.example",
  });
  expect(rules(storageOrigins({ remote }))).toEqual(rules());
  expect(rules(storageOrigins({}))).toEqual(rules());
});

test('with the emulator, its URL too', () => {
  const origins = identityOrigins({ ...firebase, emulatorUrl: 'http://127.0.0.1:9099' });
  expect(origins.connect).toContain('http://127.0.0.1:9099');
  expect(origins.frame).toContain('http://127.0.0.1:9099');
});
