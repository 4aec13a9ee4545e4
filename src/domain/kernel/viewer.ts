import type { Language } from '#formats/languages.ts';

/** Rights in a voice: editors can do all but delete, and manage people. */
export type VoiceRole = 'owner' | 'editor';

/** `set-up`: there is no second factor yet; `prove`: this session has not passed it. */
export type AdminStep = 'set-up' | 'prove';

/** Languages that a listener has chosen, of an account or in a cookie. */
export type Listening = {
  /**
   * Primary subtags (BCP 47): lists show audios in these languages, and those without words. Null: all; absent: not
   * chosen, which shows all, too.
   */
  listensTo?: readonly string[] | null;
  /** Primary subtags: comments in other languages are not shown. Absent: all are. */
  readsOnly?: readonly string[];
};

/** Asked for by a rule of age. `first`: a statement, before anything. */
export type AgeMissing = 'statement' | 'first' | 'proof';

/** The requesting user. A request without a valid session is a visitor. */
export type Viewer =
  | ({ kind: 'visitor'; ageMissing?: AgeMissing | undefined } & Listening)
  | ({
      kind: 'user';
      id: string;
      isSubscribed: boolean;
      /** Has a username and accepted the terms; otherwise only free audios (product.md, "Settled in detail"). */
      isComplete: boolean;
      /** Set for operators whose session has passed the second factor. */
      isAdmin?: true;
      /** Set for moderators, in the same way. */
      isModerator?: true;
      /**
       * For operators and moderators whose session has not passed it: the required next step. Until then they have the rights of other
       * users.
       */
      adminStep?: AdminStep;
      /** For operators and moderators: the network address of this request. */
      address?: string | undefined;
      /** For operators and moderators: when this session last proved its user, in milliseconds since 1970. */
      provenAt?: number;
      /** By id, the voices that this user owns or edits; absent without any. */
      voiceRoles?: Readonly<Record<string, VoiceRole>>;
      /** The language that this user has chosen; absent without a choice. */
      language?: Language;
      /** Neither hides tags nor blocks users, so their lists are those of visitors. Absent: not known. */
      hidesNothing?: true;
      /** Set on the viewers of pages; absent: nothing. */
      ageMissing?: AgeMissing | undefined;
    } & Listening);

export type User = Extract<Viewer, { kind: 'user' }>;

export const visitor: Viewer = { kind: 'visitor' };

/** The same viewer, who is shown audios in all languages. */
export function inAllLanguages<One extends Viewer>({ listensTo: _listensTo, ...viewer }: One): One {
  return viewer as One;
}
