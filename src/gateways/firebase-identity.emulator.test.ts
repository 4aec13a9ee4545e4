import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { loadIdentityProvider } from '#web/identity/load-identity-provider.ts';
import type { BrowserIdentityProvider } from '#web/identity/provider.ts';
import { openFirebaseIdentity } from './firebase-identity.ts';
import { findFreePort } from '#test/support/servers/free-port.ts';

// Popups exist in browsers only: under Node the SDK needs this replacement.
vi.mock('@firebase/auth', async (original) => ({
  ...(await original<object>()),
  browserPopupRedirectResolver: undefined,
}));

// Both sides against Google's own emulator. FIREBASE_EMULATOR=1 downloads and starts it; host:port uses a running one.
const wanted = process.env['FIREBASE_EMULATOR'];
const projectId = 'demo-sotto';
const running = wanted?.includes(':') ? wanted : undefined;
if (!wanted) process.stdout.write('Skipped: the Auth emulator. FIREBASE_EMULATOR=1 fetches it (270 MB) and runs it.\n');

describe.skipIf(!wanted)('with Google’s Auth emulator', () => {
  let host = '';
  let stop = async () => {};
  let server: ReturnType<typeof openFirebaseIdentity>;
  let browser: BrowserIdentityProvider;

  beforeAll(async () => {
    if (running === undefined) ({ host, stop } = await startEmulator());
    else host = running;
    server = openFirebaseIdentity({ projectId, apiKey: 'demo-key', emulatorHost: host });
    browser = await loadIdentityProvider({
      provider: 'firebase',
      projectId,
      apiKey: 'demo-key',
      authDomain: `${projectId}.firebaseapp.com`,
      emulatorUrl: `http://${host}`,
      social: ['google'],
    });
  }, 15 * 60_000);
  afterAll(() => stop(), 60_000);

  let made = 0;
  async function makeAccount(password = 'correct horse') {
    const email = `listener-${process.pid}-${++made}@sotto.example`;
    const created = await server.createAccount({ email, password });
    if (!created.ok) throw new Error(created.reason);
    return { subject: created.subject, email };
  }

  /** Links that the emulator would have mailed, newest first. */
  async function linksFor(email: string): Promise<{ requestType: string; oobCode: string }[]> {
    const response = await fetch(`http://${host}/emulator/v1/projects/${projectId}/oobCodes`);
    const { oobCodes } = (await response.json()) as {
      oobCodes: { email: string; newEmail?: string; requestType: string; oobCode: string }[];
    };
    return oobCodes.filter((code) => code.email === email || code.newEmail === email).reverse();
  }

  async function protectAddresses(enableImprovedEmailPrivacy: boolean): Promise<void> {
    const response = await fetch(`http://${host}/identitytoolkit.googleapis.com/v2/projects/${projectId}/config`, {
      method: 'PATCH',
      headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
      body: JSON.stringify({ emailPrivacyConfig: { enableImprovedEmailPrivacy } }),
    });
    expect(response.status).toBe(200);
  }

  test('an account created by the server signs in in the browser, and its token is accepted', async () => {
    const { subject, email } = await makeAccount();
    const signedIn = await browser.signInWithPassword(email, 'correct horse');
    if (!signedIn.ok) throw new Error(signedIn.code);
    const identity = await server.verifyIdToken(signedIn.idToken);
    expect(identity).toMatchObject({ subject, email, signInMethod: 'password' });
    expect(Date.now() - (identity?.signedInAt.getTime() ?? 0)).toBeLessThan(60_000);
    const elsewhere = openFirebaseIdentity({ projectId: 'other', apiKey: 'demo-key', emulatorHost: host });
    expect(await elsewhere.verifyIdToken(signedIn.idToken)).toBeUndefined();
    // Without the emulator setting its unsigned tokens are refused, and Google is not asked for keys.
    const { verifyIdToken } = openFirebaseIdentity({
      projectId,
      apiKey: 'demo-key',
      fetch: () => Promise.reject(new Error('nobody is to be asked')),
    });
    expect(await verifyIdToken(signedIn.idToken)).toBeUndefined();
  });

  test.each([false, true])('a wrong password is one (addresses protected: %s)', async (isProtected) => {
    const account = await makeAccount();
    await protectAddresses(isProtected);
    try {
      const wrong = { ok: false, code: 'auth/wrong-password' };
      expect(await browser.signInWithPassword(account.email, 'wrong')).toEqual(wrong);
      expect(await browser.signInWithPassword('nobody@sotto.example', 'wrong')).toEqual(
        isProtected ? wrong : { ok: false, code: 'auth/user-not-found' },
      );
      expect(await server.checkPassword(account, 'correct horse')).toEqual({ ok: true });
      expect(await server.checkPassword(account, 'wrong')).toEqual({ ok: false, reason: 'wrong-password' });
      // With email enumeration protection the sign-in method is unknown; the account page offers both.
      expect(await server.hasPassword(account)).toBe(isProtected ? undefined : true);
    } finally {
      await protectAddresses(false);
    }
  });

  test('a taken or invalid address or a weak password creates no account', async () => {
    const { email } = await makeAccount();
    const create = (address: string, password: string) => server.createAccount({ email: address, password });
    expect(await create(email, 'correct horse')).toEqual({ ok: false, reason: 'email-in-use' });
    expect(await create('nonsense', 'correct horse')).toEqual({ ok: false, reason: 'invalid-email' });
    expect(await create('weak@sotto.example', 'short')).toEqual({ ok: false, reason: 'weak-password' });
  });

  test('a password is changed, and the old one is refused', async () => {
    const account = await makeAccount();
    const change = (currentPassword: string, newPassword: string) =>
      server.changePassword(account, { currentPassword, newPassword });
    expect(await change('wrong', 'battery staple')).toEqual({ ok: false, reason: 'wrong-password' });
    expect(await change('correct horse', 'short')).toEqual({ ok: false, reason: 'weak-password' });
    expect(await change('correct horse', 'battery staple')).toEqual({ ok: true });
    expect(await server.checkPassword(account, 'correct horse')).toEqual({ ok: false, reason: 'wrong-password' });
    expect(await browser.signInWithPassword(account.email, 'battery staple')).toMatchObject({ ok: true });
  });

  test('an email is changed by its link, once', async () => {
    const account = await makeAccount();
    const newEmail = account.email.replace('listener', 'new');
    const change = { password: 'correct horse', newEmail };
    expect(await server.requestEmailChange(account, change)).toEqual({ ok: true });
    const [link] = await linksFor(newEmail);
    expect(link?.requestType).toBe('VERIFY_AND_CHANGE_EMAIL');
    expect(await server.checkPassword(account, 'correct horse')).toEqual({ ok: true });
    const changed = { subject: account.subject, email: newEmail };
    expect(await server.confirmEmailChange(link?.oobCode ?? '')).toEqual(changed);
    expect(await server.checkPassword(changed, 'correct horse')).toEqual({ ok: true });
    expect(await server.checkPassword(account, 'correct horse')).toEqual({ ok: false, reason: 'wrong-password' });
    expect(await server.confirmEmailChange(link?.oobCode ?? '')).toBeUndefined();
    expect(await server.confirmEmailChange('nonsense')).toBeUndefined();
    const taken = await makeAccount();
    expect(await server.requestEmailChange(taken, { password: 'correct horse', newEmail })).toEqual({ ok: true });
  });

  test('the browser sends a reset mail', async () => {
    const { email } = await makeAccount();
    expect(await browser.sendPasswordReset(email)).toEqual({ ok: true });
    expect(await linksFor(email)).toMatchObject([{ requestType: 'PASSWORD_RESET' }]);
    expect(await browser.sendPasswordReset('nobody@sotto.example')).toEqual({ ok: false, code: 'auth/user-not-found' });
    expect(await browser.sendPasswordReset('nonsense')).toEqual({ ok: false, code: 'auth/user-not-found' });
  });

  test('an account is deleted by its password or by a fresh token', async () => {
    const first = await makeAccount();
    await expect(server.deleteAccount(first, { password: 'wrong' })).rejects.toMatchObject({
      code: 'auth/wrong-password',
    });
    await server.deleteAccount(first, { password: 'correct horse' });
    expect(await server.checkPassword(first, 'correct horse')).toEqual({ ok: false, reason: 'wrong-password' });
    const second = await makeAccount();
    const signedIn = await browser.signInWithPassword(second.email, 'correct horse');
    if (!signedIn.ok) throw new Error(signedIn.code);
    await server.deleteAccount(second, { idToken: signedIn.idToken });
    // Deleting is idempotent.
    await server.deleteAccount(second, { idToken: signedIn.idToken });
    expect(await server.checkPassword(second, 'correct horse')).toEqual({ ok: false, reason: 'wrong-password' });
  });

  test('a provider that is not set up opens no window', async () => {
    expect(await browser.signInWith('facebook')).toEqual({ ok: false, code: 'auth/not-configured' });
  });
});

async function startEmulator(): Promise<{ host: string; stop: () => Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'sotto-emulator-'));
  const [port, hub, logging] = await Promise.all([findFreePort(), findFreePort(), findFreePort()]);
  const settings = {
    auth: { host: '127.0.0.1', port },
    hub: { port: hub },
    logging: { port: logging },
    ui: { enabled: false },
  };
  await writeFile(join(dir, 'firebase.json'), JSON.stringify({ emulators: settings }));
  // Its one native part would compile for minutes where no prebuilt one exists; the emulator works without it.
  const args = [
    '--yes',
    '--ignore-scripts',
    'firebase-tools@15',
    'emulators:start',
    '--only',
    'auth',
    '--project',
    projectId,
  ];
  const emulator = spawn('npx', args, { cwd: dir, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<void>((resolve) => void emulator.once('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let output = '';
    const listen = (part: Buffer) => {
      output += part.toString();
      if (output.includes('All emulators ready')) resolve();
    };
    emulator.stdout.on('data', listen);
    emulator.stderr.on('data', listen);
    emulator.once('error', reject);
    void ended.then(() => reject(new Error(`The emulator did not start: ${output.slice(-2000)}`)));
  });
  return {
    host: `127.0.0.1:${port}`,
    async stop() {
      if (emulator.pid !== undefined && emulator.exitCode === null) process.kill(-emulator.pid, 'SIGTERM');
      await ended;
      await rm(dir, { recursive: true, force: true });
    },
  };
}
