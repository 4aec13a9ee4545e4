import type { Mail, MailMessage } from '#domain/gateways.ts';
import { refuseInTransaction } from '#domain/kernel/open-transaction.ts';

/** A mail gateway whose mails the test reads in `mails`. */
export function mailInto(mails: MailMessage[]): Mail {
  return {
    async send(message) {
      refuseInTransaction('The mail server');
      mails.push(message);
    },
    async queue(_tx, message) {
      mails.push(message);
    },
    async purge(to) {
      mails.splice(0, mails.length, ...mails.filter((mail) => mail.to !== to));
    },
  };
}
