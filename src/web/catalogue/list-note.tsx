import { Link } from 'react-router';
import type { Note } from './chosen-languages.ts';

/** Its texts are the loader's: pages without it load no words for it. */
export function ListNote({ note, className }: { note: Note | undefined; className?: string }) {
  return (
    note && (
      <p className={`${className} text-13 text-muted`}>
        {note.text}{' '}
        <Link className="ulink" to={note.to} rel="nofollow">
          {note.link}
        </Link>
      </p>
    )
  );
}
