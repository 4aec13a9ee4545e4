import type { User, VoiceRole } from './viewer.ts';

/** The person who changes content: a user, or the operator on the command line. */
export type Actor = User | { kind: 'operator' };

export const operator: Actor = { kind: 'operator' };

/** `performer`: by the link of a consent, without an account. */
export type ActorRole = VoiceRole | 'moderator' | 'admin' | 'operator' | 'performer';

/** Null for the command line. */
export function userIdOf(actor: Actor): string | null {
  return actor.kind === 'user' ? actor.id : null;
}
