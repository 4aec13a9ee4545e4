import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import babel from '@lingui/cli/api/extractors/babel';
import type { ExtractorType } from '@lingui/conf';
import { type MailKind, textsOf } from '#domain/kernel/mail-text.ts';

/** Operators alone read what a mail is about. */
const forOperators = 'src/domain/admin/texts/mail-kinds.ts';

/** Collects the texts of mails, which are data, and the other texts of their files. */
export const mailExtractor: ExtractorType = {
  match: (path) => /\/domain\/.*mails\.ts$/.test(path),
  async extract(path, code, onMessage, context) {
    await babel.extract(path, code, onMessage, context);
    const lists = Object.values((await import(path)) as Record<string, unknown>).filter((one) => Array.isArray(one));
    for (const kind of lists.flat() as MailKind[])
      for (const text of textsOf(kind))
        onMessage({
          id: generateMessageId(text.text),
          message: text.text,
          origin: [text.forOperators ? forOperators : path, 1],
        });
  },
};
