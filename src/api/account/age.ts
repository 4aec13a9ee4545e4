import type { Context } from 'hono';
import { z } from '@hono/zod-openapi';
import type { ApiParts } from '../parts.ts';
import { callBy } from '../call.ts';

const call = callBy('anyone', { cache: 'private, no-store', sameSite: true, limit: { kind: 'age', perMinute: 60 } });

export const stateAge = call({
  post: '/age/statement',
  about: 'Says that the caller is at least 18',
  details:
    'For regions with a rule that asks for a statement; where it is missing, sound and transcripts answer `age/required`. A cookie keeps it on this device, and an account keeps it, too.',
  act: ({ parts, context, viewer }) => parts.ages.state(context, viewer),
});

const proofCall = callBy('anyone', {
  cache: 'private, no-store',
  sameSite: true,
  limit: { kind: 'age proof state', perMinute: 120 },
});

const ProofStates = z.object({
  state: z
    .enum(['waiting', 'done', 'refused', 'none'])
    .describe('`none`: this browser has begun no request, or it has run out'),
});

async function stateOf({ proofs }: ApiParts, context: Context): Promise<z.infer<typeof ProofStates>> {
  return { state: (await proofs.find(context))?.is ?? 'none' };
}

export const findAgeProof = proofCall({
  get: '/age/proof',
  about: 'How the request for a proof stands that this browser has begun',
  details: 'The page `/age` begins it, and takes the answer once. Known by a cookie, so that nobody else can take it.',
  output: ProofStates,
  act: ({ parts, context }) => stateOf(parts, context),
});

export const answerAgeProof = proofCall({
  post: '/age/proof/answer',
  about: 'Passes on the answer of a wallet that this browser has asked',
  details: 'What `navigator.credentials.get()` has returned for the requests of the page `/age`.',
  maxBytes: 32 * 1024,
  input: z.strictObject({
    protocol: z.enum(['openid4vp-v1-unsigned', 'org-iso-mdoc']),
    data: z.record(z.string(), z.unknown()),
  }),
  output: ProofStates,
  async act({ site, parts, context, input }) {
    const { proofs, ways } = site.age;
    const found = await parts.proofs.find(context);
    if (found?.is === 'waiting' && ways.offered().includes('wallet'))
      await proofs.settleProof(found.request.id, 'wallet', await ways.checkPassedOn(found.request, input));
    return stateOf(parts, context);
  },
});
