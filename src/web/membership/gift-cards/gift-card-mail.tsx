import { useRootData } from '../../root-data.ts';
import { Glyph } from '../../ui/images/glyph.tsx';
import { monthsOf } from '../wording.ts';

type GiftCardMailProps = {
  months: number | undefined;
  senderName: string | undefined;
  message: string | undefined;
};

/** Preview of the gift's mail (domain/membership/mails.ts). */
export function GiftCardMail({ months = 1, senderName = '', message = '' }: GiftCardMailProps) {
  const siteName = useRootData()?.siteName ?? '';
  return (
    <section
      className="sticky top-[calc(var(--header)+24px)] mt-6 grid gap-3.5 rounded-modal bg-surface p-7 wrap-anywhere edge max-lg:hidden"
      aria-label="Their email"
    >
      <p className="text-13 text-muted">What they get</p>
      <Glyph className="w-12 text-accent-text" />
      <h2 className="text-26">A gift for you at {siteName}</h2>
      <p className="text-soft">
        {senderName.trim() === '' ? 'Someone' : senderName.trim()} gives you {monthsOf(months)} of unlimited listening
        at {siteName}.
      </p>
      {message.trim() !== '' && (
        <p
          dir="auto"
          className="font-display text-[1.25rem] leading-normal font-normal whitespace-pre-line text-text italic"
        >
          {message.trim()}
        </p>
      )}
      <p className="text-14 text-muted">The code and a link to redeem it are below.</p>
    </section>
  );
}
