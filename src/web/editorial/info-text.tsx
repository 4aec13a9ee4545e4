import { classNames } from '#web/ui/class-names.ts';
import { Prose } from './prose.tsx';

/** What Markdown makes, set like the rest of the site. */
const prose = classNames(
  'leading-[1.65] text-soft [&_strong]:font-semibold [&_strong]:text-text',
  '[&_h2]:mt-11 [&_h2]:mb-3 [&_h2]:text-26 [&_h2]:text-text',
  '[&_p]:mt-4 [&_p]:text-pretty [&_li]:mt-2 [&_ul]:mt-4 [&_ul]:list-disc [&_ul]:pl-5',
  '[&_a]:text-accent-text [&_a]:underline [&_a]:underline-offset-3',
  '[&_code]:rounded-tag [&_code]:bg-raised [&_code]:px-1.5 [&_code]:py-0.5 [&_code]:text-14',
  '[&_table]:mt-5 [&_table]:w-full [&_table]:border-collapse [&_table]:text-15',
  '[&_th]:border-b [&_th]:border-line [&_th]:py-2.5 [&_th]:pr-4 [&_th]:text-left [&_th]:text-13 [&_th]:font-medium [&_th]:text-muted',
  '[&_td]:border-b [&_td]:border-line [&_td]:py-2.5 [&_td]:pr-4 [&_td]:align-top',
);

/** A page of plain text. @param props.html made by the server from the site's own Markdown, never from what anyone typed */
export function InfoText({ title, description, html }: { title: string; description: string; html: string }) {
  return (
    <article className="max-w-[680px]">
      <h1 className="t-60 pt-6">{title}</h1>
      <p className="mt-4 text-18 leading-[1.55] text-text text-pretty">{description}</p>
      <Prose className={prose} html={html} />
    </article>
  );
}
