import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { isAppCode } from '#domain/identity/rules.ts';
import type { AdminSession } from '#domain/identity/second-factor/second-factor.ts';
import type { ErrorCode } from '#domain/kernel/errors.ts';
import { clientAddress } from '../limits/rate-limit.ts';
import type { ApiEnv, ApiParts } from './api-env.ts';
import { tooManyTries } from './attempts.ts';
import { orRefuse } from './or-refuse.ts';
import * as contract from './second-factor-contract.ts';

/** The second factor of operators. */
export function secondFactorRoutes(parts: ApiParts) {
  const { site, trustProxy } = parts;
  const { attempts, secondFactor } = site.identity;

  /** Counts the try at a code or password before it is checked. */
  async function limited<Outcome extends { ok: true } | { ok: false; reason: ErrorCode }>(
    context: Context,
    kind: 'second-factor' | 'recovery-code' | 'password',
    session: AdminSession,
    act: () => Promise<Outcome>,
  ): Promise<Outcome> {
    const of = { account: session.viewer.id, address: clientAddress(context, trustProxy) };
    const { refusal, atAccount } = await attempts.takeCounted(kind, of);
    const note = async (outcome: 'right' | 'wrong' | 'locked') => {
      if (kind !== 'password') await secondFactor.recordTry(session, { outcome, atAccount });
    };
    if (refusal !== undefined) {
      await note('locked');
      throw tooManyTries(kind, refusal);
    }
    const outcome = await act();
    if (outcome.ok) await attempts.succeeded(kind, of);
    if (outcome.ok || outcome.reason === 'auth/wrong-code') await note(outcome.ok ? 'right' : 'wrong');
    return outcome;
  }

  return new OpenAPIHono<ApiEnv>()
    .openapi(contract.findSecondFactor, async (context) => {
      const { appSince, passkeys, ...state } = await secondFactor.find(context.get('loggedIn').viewer.id);
      return context.json(
        {
          ...state,
          appSince: appSince?.toISOString() ?? null,
          passkeys: passkeys.map((passkey) => ({
            ...passkey,
            createdAt: passkey.createdAt.toISOString(),
            lastUsedAt: passkey.lastUsedAt?.toISOString() ?? null,
          })),
        },
        200,
      );
    })
    .openapi(contract.startApp, async (context) => {
      const { key, uri } = orRefuse(await secondFactor.startApp(context.get('loggedIn')));
      return context.json({ key, uri }, 200);
    })
    .openapi(contract.confirmApp, async (context) => {
      const session = context.get('loggedIn');
      const { code } = context.req.valid('json');
      const { recoveryCodes } = orRefuse(
        await limited(context, 'second-factor', session, () => secondFactor.confirmApp(session, code)),
      );
      return context.json({ recoveryCodes }, 200);
    })
    .openapi(contract.startPasskey, async (context) => {
      const { options } = orRefuse(await secondFactor.startPasskey(context.get('loggedIn')));
      return context.json({ options: { ...options } }, 200);
    })
    .openapi(contract.addPasskey, async (context) => {
      const { name, passkey } = context.req.valid('json');
      const { recoveryCodes } = orRefuse(
        await secondFactor.addPasskey(context.get('loggedIn'), { name, response: passkey }),
      );
      return context.json({ recoveryCodes }, 200);
    })
    .openapi(contract.removeFactor, async (context) => {
      orRefuse(await secondFactor.remove(context.get('loggedIn'), context.req.valid('param').factor));
      return context.body(null, 204);
    })
    .openapi(contract.renewRecoveryCodes, async (context) => {
      const { recoveryCodes } = orRefuse(await secondFactor.renewRecoveryCodes(context.get('loggedIn')));
      return context.json({ recoveryCodes }, 200);
    })
    .openapi(contract.askForPasskey, async (context) => {
      const options = await secondFactor.askForPasskey(context.get('loggedIn'));
      return context.json({ options: { ...options } }, 200);
    })
    .openapi(contract.prove, async (context) => {
      const session = context.get('loggedIn');
      const proof = context.req.valid('json');
      const kind =
        'password' in proof
          ? 'password'
          : 'code' in proof && !isAppCode(proof.code)
            ? 'recovery-code'
            : 'second-factor';
      const { recoveryCodesLeft } = orRefuse(
        await limited(context, kind, session, () => secondFactor.prove(session, proof)),
      );
      return context.json({ recoveryCodesLeft }, 200);
    });
}
