import type { User } from './viewer.ts';

/** Who changes content: a user, or the operator on the command line. */
export type Actor = User | { kind: 'operator' };

export const operator: Actor = { kind: 'operator' };

/** What a user may do in a voice: editors do all but delete, and manage people. */
export type VoiceRole = 'owner' | 'editor';

export type ActorRole = VoiceRole | 'admin' | 'operator';
