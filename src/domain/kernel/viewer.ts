import type { VoiceRole } from './actor.ts';

/** The requesting user. A request without a valid session is a visitor. */
export type Viewer =
  | { kind: 'visitor' }
  | {
      kind: 'user';
      id: string;
      isSubscribed: boolean;
      /** Has a username and accepted the terms; otherwise only free audios (product.md, "Settled in detail"). */
      isComplete: boolean;
      /** Set for operators only. */
      isAdmin?: true;
      /** By id, the voices that this user owns or edits; absent without any. */
      voiceRoles?: Readonly<Record<string, VoiceRole>>;
    };

export type User = Extract<Viewer, { kind: 'user' }>;

export const visitor: Viewer = { kind: 'visitor' };
