import { callBy } from '../call.ts';

const call = callBy('anyone', { cache: 'private, no-store', sameSite: true, limit: { kind: 'age', perMinute: 60 } });

export const stateAge = call({
  post: '/age/statement',
  about: 'Says that the caller is at least 18',
  details:
    'For regions with a rule that asks for a statement; where it is missing, sound and transcripts answer `age/required`. A cookie keeps it on this device, and an account keeps it, too.',
  act: ({ parts, context, viewer }) => parts.ages.state(context, viewer),
});
