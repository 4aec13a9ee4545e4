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
      /** Ids of the voices that this user owns; absent without any. */
      ownVoiceIds?: readonly string[];
    };

export type User = Extract<Viewer, { kind: 'user' }>;

export const visitor: Viewer = { kind: 'visitor' };
