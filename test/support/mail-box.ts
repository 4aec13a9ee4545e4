import type { Mail, MailMessage } from '#domain/gateways.ts';

/** A mail gateway whose mails the test reads in `mails`. */
export function mailInto(mails: MailMessage[]): Mail {
  return {
    async send(message) {
      mails.push(message);
    },
    async purge(to) {
      mails.splice(0, mails.length, ...mails.filter((mail) => mail.to !== to));
    },
  };
}
