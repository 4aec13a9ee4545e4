import type { Mark } from '#domain/search/words.ts';

export function Marked({ text, marks }: { text: string; marks: Mark[] | undefined }) {
  if (marks === undefined || marks.length === 0) return text;
  return (
    <>
      {marks.map(([from, to], index) => (
        <span key={from}>
          {text.slice(marks[index - 1]?.[1] ?? 0, from)}
          <mark>{text.slice(from, to)}</mark>
        </span>
      ))}
      {text.slice(marks.at(-1)?.[1])}
    </>
  );
}
