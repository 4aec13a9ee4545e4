import { type ReactNode, useId } from 'react';

type PartProps = { id?: string; title: string; help?: ReactNode; facts?: ReactNode; children: ReactNode };

/** A part of a page of settings. @param props.id to link to it. @param props.facts below the help */
export function Part({ id, title, help, facts, children }: PartProps) {
  const heading = useId();
  return (
    <section className="settings-part" id={id} aria-labelledby={heading}>
      <header>
        <h2 id={heading}>{title}</h2>
        {help !== undefined && <p>{help}</p>}
        {facts !== undefined && <p>{facts}</p>}
      </header>
      <div>{children}</div>
    </section>
  );
}
